"""Compare each number that four papers printed with the same number computed from the data in this data folder."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.analysis.score_table import part_name, split
from core.benchmarks.figures import Correlated
from core.benchmarks.published import Figure, Printed, known_reason, printed_figures
from core.datasets import BENCHMARKS
from core.errors import BadSetting, NotFound
from core.installation import COMMAND
from core.statistics.rounding import half_up
from core.types import OWN, RAW
from ui.services.analysis.agreement import QUANTITIES, figures
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Table, table_of

PRINTED = 1  # number of decimals of a printed value
_EXCLUDED = {"flickr8k-expert": "without the 158 pairs in which a picture is compared with its own caption"}
_HOW = (
    "A benchmark's figures are computed from the data set with the benchmark's name. If there is none, a data set that "
    "was imported from the benchmark's files is used. A metric with several settings has one row per setting. To add "
    f"data: `{COMMAND} get`, `{COMMAND} score` or `{COMMAND} import`."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return printed numbers beside computed numbers, a table for each benchmark. Raises NotFound.

    The data sets asked for, if any, limit the benchmarks: each is used for the benchmark whose rule it follows.
    """
    there = {one.name for one in analyst.workplace.repository.samples.datasets()}
    of_benchmark = {analyst.benchmark(name): name for name in asked.datasets if name in there}
    names = {*of_benchmark, *(name for name in asked.datasets if name not in there)}
    unknown = names - {one.name for one in BENCHMARKS}
    if unknown:
        raise NotFound(f"No paper prints figures for {', '.join(sorted(unknown))}.")
    benchmarks = [one for one in BENCHMARKS if not names or one.name in names]
    tables: list[Table[Any]] = []
    notes: list[str] = []
    for benchmark in benchmarks:
        printed = [one for one in printed_figures() if one.figure.benchmark == benchmark.name]
        order = {metric: at for at, metric in enumerate(dict.fromkeys(one.figure.metric for one in printed))}
        printed.sort(key=lambda one: order[one.figure.metric])
        known = (benchmark.name, benchmark.named, *analyst.reads.imported_from(benchmark.name))
        dataset = of_benchmark.get(benchmark.name) or next((one for one in known if one in there), benchmark.name)
        computed = _computed(printed, dataset, analyst) if printed and dataset in there else {}
        rows = [_row(one, *of) for one in printed for of in computed.get(one.figure, ())]
        if rows:
            places = {"printed": 1, "here": 2, "difference": 2}
            title = f"{benchmark.name}: printed and computed figures × 100"
            tables.append(table_of(title, rows, decimals=places, wide=("note", "recipe")))
        if missing := [one for one in printed if one.figure not in computed]:
            metrics = ", ".join(dict.fromkeys(one.figure.metric for one in missing))
            notes.append(f"{benchmark.name}: {len(missing)} printed figures lack data here ({metrics}).")
    every = [row for table in tables for row in table.rows]
    same = sum(row["as printed"] == "yes" for row in every)
    counts = f"{len(every):,} comparisons of printed and computed figures; {same:,} are equal in all printed digits."
    return Found(tables, notes=[counts, *notes, _HOW])


def _row(printed: Printed, value: float, recipe: str) -> dict[str, Any]:
    figure = printed.figure
    quantity = figure.category or QUANTITIES[figure.quantity]
    said = quantity if figure.variant == OWN else f"{figure.variant} {quantity}"
    equal = half_up(value, PRINTED) == half_up(printed.value, PRINTED)
    row = {"metric": figure.metric, "figure": said, "printed": printed.value, "printed in": printed.source}
    row |= {"here": value, "difference": round(value - printed.value, 9), "as printed": "yes" if equal else "no"}
    return row | {"note": known_reason(printed), "recipe": recipe}


def _computed(printed: Sequence[Printed], dataset: str, analyst: Analyst) -> dict[Figure, list[tuple[float, str]]]:
    """Return the numbers computed from a benchmark's data set, times 100, each with its recipe."""
    benchmark, table = printed[0].figure.benchmark, analyst.table(dataset)
    wanted = {(one.figure.metric, one.figure.variant) for one in printed}
    own = [column for column in table.compared.values() if column.metric in {metric for metric, _ in wanted}]
    parts = [part_name(one.name, of) for one in own for metric, of in wanted if metric == one.metric]
    names = [name for name in (*(one.name for one in own), *parts) if split(name)[1] not in (OWN, RAW)]
    try:
        found, used = figures(analyst, Asked((dataset,)), benchmark, [*filter(table.find, names)], compare=False)
    except BadSetting:  # there are no such scores, or the samples have no judgements
        return {}
    counts = [len(one) for one, _ in analyst.workplace.repository.samples.reference_sets(dataset)]
    low, high = references = (min(counts), max(counts)) if counts else (0, 0)
    read = f"{low} references each" if low == high else f"{low} to {high} references"
    computed: dict[Figure, list[tuple[float, str]]] = {}
    for name, variant, counted, values in _values(found, references):
        metric = used.metric(split(name)[0])
        recipe = "; ".join(filter(None, (counted, _EXCLUDED.get(benchmark, ""), read, metric.signature)))
        for quantity, category, value in values:
            figure = Figure(found.benchmark, metric.metric, variant or OWN, quantity, category)
            computed.setdefault(figure, []).append((100 * value, recipe))
    return computed


Value = tuple[str, str | None, float]  # quantity, category and value


def _values(found: Correlated, references: tuple[int, int]) -> Iterator[tuple[str, str, str, list[Value]]]:
    """Yield column, variant, what the figure counts, and the values of each computed row."""
    for (name, variant), row in found.taus.items():
        tau_b, tau_c = row.tau("b"), row.tau("c")
        unit = "judgements" if found.unit == "judgements" else "captions with mean judgements"
        if tau_b is not None and tau_c is not None:
            yield name, variant, f"{row.n:,} {unit}", [("tau_b", None, tau_b), ("tau_c", None, tau_c)]
    for of in found.accuracies:
        if of.accuracy is None or of.accuracy_half_credit is None:
            continue
        categories: list[str | None] = [of.category]
        if of.category == found.benchmark:  # only FOIL, whose papers print an accuracy per number of references
            categories = [None, *(f"{n}-ref" for n in (1, 4) if references == (n, n))]
        half = half_up(100 * of.accuracy_half_credit, 2)
        counted = f"{of.n:,} pairs; {of.ties:,} with equal scores count as wrong; if they count as half right: {half}"
        yield of.metric, of.variant, counted, [("accuracy", category, of.accuracy) for category in categories]


SECTION = Section("published", "Printed figures, computed again", made, on_page=False, in_report=False, is_cached=False)
