"""Agreement of metrics with human judgement, by each benchmark's own rule, beside what papers print."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.column_names import part_name, split
from core.benchmarks.columns import JudgedColumn
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Published
from core.errors import BadSetting, NotFound
from core.installation import COMMAND
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Facts, Found, Section, menu
from ui.services.tables import Column, Table, count, ends, interval, number, text, times100

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.figures import Correlated, MetricDifference
    from core.benchmarks.pairwise import PairwiseAccuracy

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
_ALL_PAIRS = "every pair of metrics"


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the section on agreement. Raises NotFound, BadSetting."""
    dataset, table = asked.dataset, analyst.table(asked.dataset)
    names = compared(analyst, asked)
    rules = [("", "the data set’s own rule"), *((one.name, one.name) for one in BENCHMARKS)]
    rule = analyst.benchmark(dataset, asked.option("rule", rules) or None)
    samples = [("own", "each metric’s own captions"), ("all", "captions scored by all metrics")]
    labels = {name: table.metric(name).label for name in names}
    against = [*labels.items(), ("all", _ALL_PAIRS)]
    one = asked.option("against", against)
    common = names if asked.option("samples", samples) == "all" else ()
    found, columns = figures(analyst, asked, rule, names, against=None if one == "all" else one, common=common)
    whole = not asked.slice and not common
    made = tables(found, {name: (table.metric(name).metric, labels[name]) for name in names}, whole)
    controls = [menu(asked, "rule", "Rule", rules)]
    if len(names) > 1:
        controls += [menu(asked, "samples", "Captions", samples), menu(asked, "against", "Compare with", against)]
    chosen = None if asked.slice is None else analyst.workplace.repository.slices.named(dataset, asked.slice)
    warned = [BY_ERROR] if chosen and chosen.by_error else [BY_HUMAN] if chosen and chosen.by_human else []
    notes = [*warned, *counted(found, columns), *undefined(found, labels), INTERVALS]
    return Found(made, notes=notes, controls=controls)


def compared(analyst: Analyst, asked: Asked) -> list[str]:
    """Return the columns to compare with people: those asked for, without people's own scores.

    A name may be a column, or a metric with several columns. Raises NotFound, BadSetting.
    """
    table = analyst.table(asked.dataset)
    if not table.metrics:
        raise BadSetting(f"{asked.dataset} has no scores yet. To add scores, use `{COMMAND} import`.")
    of_metric = [
        name for one in asked.metrics for name, of in table.compared.items() if of.metric == one and name != one
    ]
    chosen = asked.metrics or tuple(table.compared)
    direct = [
        name
        for name in chosen
        if table.find(name) is not None or name not in {table.metrics[n].metric for n in of_metric}
    ]
    names = [name for name in dict.fromkeys((*direct, *of_metric)) if not table.metric(name).by_people]
    if not names:
        people = ", ".join(table.metrics)
        raise BadSetting(f"{asked.dataset} has no scores of metrics here. Its scores are from people: {people}.")
    return names


def figures(
    analyst: Analyst,
    asked: Asked,
    benchmark: str,
    names: Sequence[str],
    intervals: bool = True,
    against: str | None = None,
    common: Sequence[str] = (),
) -> "tuple[Correlated, Mapping[str, JudgedColumn]]":
    """Return the agreement of some columns with people, and the columns. Raises NotFound, BadSetting.

    common: only samples with scores of all these columns count.
    """
    from core.benchmarks.figures import correlated  # imported late, so that scipy is loaded only if needed

    judged, within = analyst.judged(asked.dataset), analyst.chosen(asked.dataset, asked.slice)
    chosen = np.logical_and.reduce(
        [np.isfinite(judged[name].smoothed) for name in common] + ([] if within is None else [within])
    )
    columns = {name: judged[name].where(np.isfinite(judged[name].smoothed) & chosen) for name in names}
    if not any(len(column.sample) for column in columns.values()):
        raise BadSetting(f"No chosen sample of {asked.dataset} has a score. Choose another metric or slice.")
    if not any(column.is_judged for column in columns.values()):
        raise BadSetting(f"These samples of {asked.dataset} have no human judgements, so agreement is undefined.")
    found = correlated(benchmark, columns, names, intervals, against)
    if found.is_empty and not any(row.note for row in found.taus):
        raise BadSetting(f"{asked.dataset} has no judgements that the rule of {benchmark} uses. Choose another rule.")
    return found, columns


Names = Mapping[str, tuple[str, str]]  # key: column; value: the metric's name in papers, and its label


def tables(found: "Correlated", names: Names, whole: bool = True) -> list[Table[Any]]:
    """Return a benchmark's figures as tables, times 100, without empty tables.

    whole: False: the figures are about a part of the samples, so published figures are omitted.
    """

    def published(row: "Correlation | PairwiseAccuracy", category: str | None = None) -> str:
        return _published(row.benchmark, names[row.metric][0], row.variant, category) if whole else ""

    taus = [tau_record(row) | {"metric": names[row.metric][1], "published": published(row)} for row in found.taus]
    accuracies = [
        {"metric": names[row.metric][1], "variant": row.variant, "category": row.category, "pairs": row.n}
        | {"accuracy": times100(row.accuracy), **ends("accuracy", row.interval, 100), "ties": row.ties}
        | {"half_credit": times100(row.accuracy_half_credit), "published": published(row, row.category)}
        for row in found.accuracies
    ]
    rule = found.rule.tau if found.rule else "c"
    made: list[Table[Any]] = [
        Table(f"{found.benchmark}: Kendall’s τ × 100", (*_NAMES, *tau_columns(found, rule)), taus),
        Table(f"{found.benchmark}: pairwise accuracy × 100; ties count as wrong", _ACCURACIES, accuracies),
        *differences(found, names),
    ]
    return [table for table in made if table.rows]


def tau_record(row: "Correlation") -> dict[str, Any]:
    """Return a correlation as a row, times 100."""
    return {
        "variant": row.variant,
        row.unit: row.n,
        "tau_b": times100(row.tau_b),
        **ends("tau_b", row.interval_b, 100),
        "tau_c": times100(row.tau_c),
        **ends("tau_c", row.interval_c, 100),
        "pearson": times100(row.pearson),
        "spearman": times100(row.spearman),
        "ties": row.ties,
        "note": note(row),
    }


def note(row: "Correlation") -> str:
    """Return a remark about a correlation: why it is undefined, or that it is suspiciously perfect."""
    is_same = row.n >= FEW and row.tau_b is not None and row.tau_b > 1 - 1e-9
    return row.note or (SAME_ORDER if is_same else "")


def tau_columns(found: "Correlated", rule: str) -> tuple[Column, ...]:
    """Return the columns of `tau_record`. The tau of the benchmark's rule is emphasised."""
    unit = found.taus[0].unit if found.taus else "captions"
    each = [
        (
            Column(f"τ-{tau}", (f"tau_{tau}",), "number", 2, strong=tau == rule),
            interval(f"95 % interval of τ-{tau}", f"tau_{tau}", 2, brief=tau == rule),
        )
        for tau in ("b", "c")
    ]
    linear = (number("Pearson", "pearson", 2, brief=False), number("Spearman", "spearman", 2, brief=False))
    last = (count("tied pairs", "ties"), text("published", "published"), text("note", "note", brief=False))
    return (count(unit, unit), *each[0], *each[1], *linear, *last)


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


def differences(found: "Correlated", names: Names) -> list[Table[Any]]:
    """Return the comparisons of metrics with each other, without pairs that share fewer than two samples."""
    rows = [_difference(one, names) for one in found.differences if one.result.n > 1]
    unit = found.taus[0].unit if found.taus else "pairs"
    pairs = len({(row["first"], row["second"]) for row in rows})
    columns = (
        Column("metrics", ("first", "second"), "difference"),
        text("of", "of"),
        count(unit, "n"),
        number("difference", "difference", 2),
        interval("95 % interval", "difference", 2),
        Column("p", ("p",), "p"),
        *([Column("p, Holm", ("p_holm",), "p")] if pairs > 1 else []),
        text("note", "note"),
    )
    corrected = f"; Holm’s correction over {pairs} comparisons" if pairs > 1 else ""
    return [Table(f"Which metric agrees better with people, × 100 (paired test{corrected})", columns, rows)]


def _difference(one: "MetricDifference", names: Names) -> dict[str, Any]:
    (first, of_first), (second, of_second) = one.first, one.second
    variants = (f" {of_first}", f" {of_second}") if first == second else ("", "")
    result = one.result
    return {
        "first": names[first][1] + variants[0],
        "second": names[second][1] + variants[1],
        "of": result.category or QUANTITIES[result.quantity],
        "n": result.n,
        "difference": times100(result.difference),
        **ends("difference", result.interval, 100),
        "p": result.p,
        "p_holm": one.p_holm,
        "note": result.note,
    }


def _published(benchmark: str, metric: str, variant: str, category: str | None) -> str:
    """Return what papers print for a row of figures: value and paper."""
    from core.benchmarks.published import published_beside

    found = published_beside(benchmark, metric, variant, category)
    return "; ".join(
        dict.fromkeys(f"{_named(one, category)}{one.value} ({one.paper.partition(' (')[0]})" for one in found)
    )


def _named(one: Published, category: str | None) -> str:
    """Return the name of a published value, if its row does not show which value it is."""
    if one.category not in (category, None):
        return f"{one.category} "
    return "" if one.quantity == "accuracy" or category else f"{QUANTITIES[one.quantity]} "


def counted(found: "Correlated", columns: Mapping[str, JudgedColumn]) -> list[str]:
    """Return a sentence about the number of judgements, captions and images behind the taus."""
    if found.rule is None or not columns:
        return []
    of = max(columns.values(), key=lambda column: len(column.sample))
    known = of.where(of.counts > 0 if found.rule.per_judgement else np.isfinite(of.human))
    size = f"{len(known.sample):,} captions of {len(np.unique(known.image)):,} images"
    if found.rule.per_judgement:
        return [f"Each judgement counts by itself: {len(known.judgements):,} judgements of {size}."]
    return [f"Each caption counts once, with the mean of its human judgements: {size}."]


def undefined(found: "Correlated", labels: Mapping[str, str]) -> list[str]:
    """Return a sentence for each undefined correlation, and for pairs of metrics that cannot be compared."""
    said = [
        f"{labels.get(row.metric, row.metric)} {row.variant}".strip() + f": {row.note}."
        for row in found.taus
        if row.note
    ]
    apart = {(one.first[0], one.second[0]): None for one in found.differences if one.result.n < 2}
    if apart:
        pairs = ", ".join(f"{labels[first]} and {labels[second]}" for first, second in apart)
        said.append(f"Not compared, because these metrics share fewer than two judged samples: {pairs}.")
    return said


def with_parts(analyst: Analyst, asked: Asked, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of metrics, each followed by the asked components of its scores. Raises NotFound."""
    table, own = analyst.table(asked.dataset), compared(analyst, asked)
    found = [
        name for metric in own for name in (metric, *(part_name(metric, part) for part in parts)) if table.find(name)
    ]
    if parts:
        counts = (analyst.workplace.repository.analysis.part_counts(table, metric) for metric in own)
        check_parts(parts, found, {part for of_metric in counts for part in of_metric})
    return tuple(found)


def check_parts(parts: Sequence[str], columns: Iterable[str], known: Iterable[str]) -> None:
    """Raise NotFound for a component that no metric's scores have."""
    missing = [part for part in parts if part not in {split(name)[1] for name in columns}]
    if missing:
        there = ", ".join(sorted(known)) or "none"
        raise NotFound(f"No score here has the component {' or '.join(missing)}. Components of these scores: {there}.")


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.judged and facts.metrics else "human judgements" if facts.metrics else "scores of metrics"


SECTION = Section("agreement", "Agreement with human judgement", made, needs)
