"""Agreement of metrics with human judgement, by each benchmark's own rule, beside what papers print."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from core.analysis.score_table import ScoreTable, part_name, split
from core.benchmarks.correlation import Correlation, Difference, Scored
from core.benchmarks.figures import Correlated, correlated
from core.benchmarks.published import Figure, published
from core.datasets import BENCHMARKS
from core.errors import BadSetting, NotFound
from core.installation import COMMAND
from core.statistics.correlations import pearson, spearman
from core.studies.asking.form_words import numbered
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section, menu
from ui.services.tables import Column, Table, count, ends, interval, interval100, number, text, times100

QUANTITIES = {"tau_b": "τ-b", "tau_c": "τ-c", "accuracy": "accuracy"}
FEW = 20  # with fewer observations, a metric may match people's order by chance
SAME_ORDER = "has exactly the same order as the human judgements; it is probably the human score itself"
INTERVALS = "Intervals and p values are over images, from each image’s influence on the figure."
BY_ERROR = (
    "This slice selects samples by a metric’s error, which depends on the human judgements. So agreement within the "
    "slice follows from the selection and does not describe the metric."
)
BY_HUMAN = (
    "This slice selects samples by human judgement. Within a narrow range of judgements, agreement is lower than in "
    "all samples, so do not compare it with other slices."
)
_NAMES = (text("metric", "metric"), text("variant", "variant"))
_ACCURACIES = (
    *_NAMES,
    text("category", "category"),
    count("pairs", "pairs"),
    Column("accuracy", ("accuracy",), "number", 2, strong=True),
    interval("95 % interval", "accuracy", 2),
    count("ties", "ties"),
    number("half credit", "half_credit", 2, brief=False),
    text("published", "published"),
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the section on agreement. Raises NotFound, BadSetting."""
    dataset, names = asked.dataset, compared(analyst, asked)
    rules = [("", "the data set’s own rule"), *((one.name, one.name) for one in BENCHMARKS)]
    labels = [*((name, analyst.table(dataset).metric(name).label) for name in names), ("all", "every pair of metrics")]
    rule = menu(asked, "rule", "Rule", rules)
    samples = menu(
        asked, "samples", "Captions", [("own", "each metric’s own captions"), ("all", "captions scored by all metrics")]
    )
    against = menu(asked, "against", "Compare with", labels)
    one, common = None if against.value == "all" else against.value, samples.value == "all"
    found, table = figures(analyst, asked, analyst.benchmark(dataset, rule.value), names, against=one, common=common)
    chosen = None if asked.slice is None else analyst.workplace.repository.slices.named(dataset, asked.slice)
    warned = [BY_ERROR] if chosen and chosen.by_error else [BY_HUMAN] if chosen and chosen.human else []
    return Found(
        tables(found, table, whole=not asked.slice and not common),
        notes=[*warned, *notes(found, table, names)],
        controls=[rule, samples, against] if len(names) > 1 else [rule],
    )


def compared(analyst: Analyst, asked: Asked) -> list[str]:
    """Return the columns to compare with people: those asked for, without people's own scores.

    A name may be a column, or a metric with several columns. The asked components of its scores follow each column.
    Raises NotFound, BadSetting.
    """
    table = analyst.table(asked.dataset)
    if not table.metrics:
        raise BadSetting(f"{asked.dataset} has no scores yet. To add scores, use `{COMMAND} import`.")
    chosen, columns = asked.metrics or tuple(table.compared), table.compared
    several = {one: [name for name, of in columns.items() if of.metric == one and name != one] for one in asked.metrics}
    direct = [name for name in chosen if table.find(name) is not None or not several.get(name)]
    every = dict.fromkeys((*direct, *(name for one in asked.metrics for name in several[one])))
    names = [name for name in every if not table.metric(name).by_people]
    if not names:
        people = ", ".join(table.metrics)
        raise BadSetting(f"{asked.dataset} has no scores of metrics here. Its scores are from people: {people}.")
    return with_parts(table, names, asked.parts)


def figures(
    analyst: Analyst,
    asked: Asked,
    benchmark: str,
    names: Sequence[str],
    compare: bool = True,
    against: str | None = None,
    common: bool = False,
) -> tuple[Correlated, ScoreTable]:
    """Return the agreement of some columns with people, and the table of the samples that count.

    common: only samples with scores of all these columns count. Raises NotFound, BadSetting.
    """
    table = analyst.table(asked.dataset, asked.slice)
    scored = [np.isfinite(table.metric(name).value) for name in names]
    table = table.where(np.logical_and.reduce(scored) if common else np.logical_or.reduce(scored))
    if not len(table):
        raise BadSetting(f"No chosen sample of {asked.dataset} has a score. Choose another metric or slice.")
    if not table.is_judged:
        raise BadSetting(f"These samples of {asked.dataset} have no human judgements, so agreement is undefined.")
    found = correlated(benchmark, table, names, compare, against)
    if not found.n and not any(row.note for row in found.taus.values()):
        raise BadSetting(f"{asked.dataset} has no judgements that the rule of {benchmark} uses. Choose another rule.")
    return found, table


def tables(found: Correlated, table: ScoreTable, whole: bool = True) -> list[Table[Any]]:
    """Return a benchmark's figures as tables, times 100, without empty tables.

    whole: False: the figures are about a part of the samples, so published figures are omitted.
    """

    def named(name: str, variant: str, category: str | None = None) -> dict[str, Any]:
        column = table.metric(name)
        printed = _published(found.benchmark, column.metric, variant, category) if whole else ""
        return {"metric": column.label, "published": printed}

    taus = [_tau_row(found, one, row) | named(*one) for one, row in found.taus.items()]
    accuracies = [
        {"metric": "", "variant": row.variant, "category": row.category, "pairs": row.n}
        | {"accuracy": times100(row.accuracy), **ends("accuracy", row.interval, 100), "ties": row.ties}
        | {"half_credit": times100(row.accuracy_half_credit)}
        | named(row.metric, row.variant, row.category)
        for row in found.accuracies
    ]
    every = [
        Table(f"{found.benchmark}: Kendall’s τ × 100", (*_NAMES, *_tau_columns(found)), taus),
        Table(f"{found.benchmark}: pairwise accuracy × 100; ties count as wrong", _ACCURACIES, accuracies),
        _differences(found, table),
    ]
    return [one for one in every if one.rows]


def _tau_row(found: Correlated, scored: Scored, row: Correlation) -> dict[str, Any]:
    cells: dict[str, Any] = {"variant": scored[1], found.unit: row.n}
    for kind in ("b", "c"):
        cells |= {f"tau_{kind}": times100(row.tau(kind)), **ends(f"tau_{kind}", row.interval(kind), 100)}
    cells |= {"pearson": times100(pearson(row.score, row.human)), "spearman": times100(spearman(row.score, row.human))}
    return cells | {"ties": row.taus.ties, "note": note(row)}


def tau_cells(row: Correlation) -> dict[str, Any]:
    """Return both taus with intervals, times 100; key: head of the column."""
    cells: dict[str, Any] = {}
    for kind in ("b", "c"):
        cells |= {f"τ-{kind}": times100(row.tau(kind)), f"95 % interval of τ-{kind}": interval100(row.interval(kind))}
    return cells


def note(row: Correlation) -> str:
    """Return a remark about a correlation: why it is undefined, or that it is suspiciously perfect."""
    return row.note or (SAME_ORDER if row.n >= FEW and (row.tau("b") or 0) > 1 - 1e-9 else "")


def _tau_columns(found: Correlated) -> tuple[Column, ...]:
    """Return the columns of `_tau_row`. The tau of the benchmark's rule is emphasised."""
    rule = found.rule.tau if found.rule else "c"
    of_taus: list[Column] = []
    for tau in ("b", "c"):
        of_taus.append(Column(f"τ-{tau}", (f"tau_{tau}",), "number", 2, strong=tau == rule))
        of_taus.append(interval(f"95 % interval of τ-{tau}", f"tau_{tau}", 2, brief=tau == rule))
    linear = (number("Pearson", "pearson", 2, brief=False), number("Spearman", "spearman", 2, brief=False))
    last = (count("tied pairs", "ties"), text("published", "published"), text("note", "note", brief=False))
    return (count(found.unit, found.unit), *of_taus, *linear, *last)


def _differences(found: Correlated, table: ScoreTable) -> Table[Any]:
    """Return the comparisons of metrics with each other, without pairs that share fewer than two samples."""
    rows = [_difference(one, table) for one in found.differences if one.n > 1]
    pairs = len({(row["first"], row["second"]) for row in rows})
    columns = (
        Column("metrics", ("first", "second"), "difference"),
        text("of", "of"),
        count(found.unit, "n"),
        number("difference", "difference", 2),
        interval("95 % interval", "difference", 2),
        Column("p", ("p",), "p"),
        *([Column("p, Holm", ("p_holm",), "p")] if pairs > 1 else []),
        text("note", "note"),
    )
    corrected = f"; Holm’s correction over {pairs} comparisons" if pairs > 1 else ""
    return Table(f"Which metric agrees better with people, × 100 (paired test{corrected})", columns, rows)


def _difference(one: Difference, table: ScoreTable) -> dict[str, Any]:
    first, second = (
        table.metric(name).label + (f" {variant}" if one.first[0] == one.second[0] else "")
        for name, variant in (one.first, one.second)
    )
    row = {"first": first, "second": second, "of": one.category or QUANTITIES[one.quantity], "n": one.n}
    row |= {"difference": times100(one.difference), **ends("difference", one.interval, 100)}
    return row | {"p": one.p, "p_holm": one.p_holm, "note": one.note}


def _published(benchmark: str, metric: str, variant: str, category: str | None) -> str:

    def named(one: Figure) -> str:  # which value it is, if the row does not show it
        if one.category not in (category, None):
            return f"{one.category} "
        return "" if one.quantity == "accuracy" or category else f"{QUANTITIES[one.quantity]} "

    found = published(benchmark, metric, variant, category)
    return "; ".join(dict.fromkeys(f"{named(one.figure)}{one.value} ({one.papers[0]})" for one in found))


def notes(found: Correlated, table: ScoreTable, names: Sequence[str]) -> list[str]:
    """Return sentences about the unit of the taus, undefined values, and intervals."""
    said = []
    if found.rule is not None and names:
        most = max((np.isfinite(table.metric(name).value) for name in names), key=np.count_nonzero)
        known = table.where(most & ((table["counts"] > 0) if found.rule.per_judgement else np.isfinite(table["human"])))
        size = f"{numbered(len(known), 'caption')} of {numbered(len(np.unique(known['cluster'])), 'image')}"
        if found.rule.per_judgement:
            said = [f"Each judgement counts by itself: {len(known.judgements):,} judgements of {size}."]
        else:
            said = [f"Each caption counts once, with the mean of its human judgements: {size}."]
    return [*said, *undefined(found, table), INTERVALS]


def undefined(found: Correlated, table: ScoreTable) -> list[str]:
    """Return a sentence for each undefined correlation, and for pairs of metrics that cannot be compared."""
    rows = [(f"{table.metric(name).label} {variant}", row.note) for (name, variant), row in found.taus.items()]
    said = [f"{of.strip()}: {note}." for of, note in rows if note]
    apart = {(one.first[0], one.second[0]): None for one in found.differences if one.n < 2}
    if apart:
        pairs = ", ".join(f"{table.metric(one).label} and {table.metric(other).label}" for one, other in apart)
        said.append(f"Not compared, because these metrics share fewer than two judged samples: {pairs}.")
    return said


def with_parts(table: ScoreTable, columns: Iterable[str], parts: Sequence[str]) -> list[str]:
    """Return columns, each followed by some components of its scores. Raises NotFound for a part that no score has."""
    own = list(columns)
    found = [name for one in own for name in (one, *(part_name(one, part) for part in parts)) if table.find(name)]
    missing = [part for part in parts if part not in {split(name)[1] for name in found}]
    if missing:
        there = ", ".join(sorted({part for one in own for part in table.parts(split(one)[0])})) or "none"
        raise NotFound(f"No score here has the component {' or '.join(missing)}. Components of these scores: {there}.")
    return found


def _needs(_analyst: Analyst, _dataset: str, here: ScoreTable) -> str:
    return "" if here.compared and here.is_judged else "human judgements" if here.compared else "scores of metrics"


SECTION = Section("agreement", "Agreement with human judgement", made, _needs)
