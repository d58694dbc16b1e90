"""Compare each number that four papers printed with the same number computed from the data in this data folder."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from core.analysis.score_table import part_name, split
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Benchmark
from core.datasets.published_files import PUBLISHED
from core.errors import BadSetting, NotFound
from core.installation import COMMAND
from core.long_work.progress import report
from core.statistics.rounding import half_up
from core.types import OWN, RAW
from ui.services.analysis.agreement import QUANTITIES, figures
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Table, table_of

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.pairwise import PairwiseAccuracy
    from core.benchmarks.published import Figure, Printed

    Row = Correlation | PairwiseAccuracy

COMPARING = "Comparing figures with printed figures"
PRINTED = 1  # number of decimals of a printed value
_EXCLUDED = {"flickr8k-expert": "without the 158 pairs in which a picture is compared with its own caption"}
_BY_IMPORT = "import your own CSV"
_HOW = (
    "A benchmark's figures are computed from the data set with the benchmark's name. If there is none, a data set that "
    "was imported from the benchmark's files is used. A metric with several settings has one row per setting."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return printed numbers beside computed numbers, a table for each benchmark. Raises NotFound, Cancelled.

    The data sets asked for, if any, limit the benchmarks: each is used for the benchmark whose rule it follows.
    """
    from core.benchmarks.published import printed_figures

    of_benchmark = {analyst.benchmark(name): name for name in asked.datasets if _is_there(analyst, name)}
    names = {*of_benchmark, *(name for name in asked.datasets if not _is_there(analyst, name))}
    unknown = names - {one.name for one in BENCHMARKS}
    if unknown:
        raise NotFound(f"No paper prints figures for {', '.join(sorted(unknown))}.")
    benchmarks = [one for one in BENCHMARKS if not names or one.name in names]
    tables: list[Table[Any]] = []
    notes: list[str] = []
    for place, benchmark in enumerate(benchmarks):
        report(COMPARING, place, len(benchmarks))
        printed = [one for one in printed_figures() if one.figure.benchmark == benchmark.name]
        order = {metric: at for at, metric in enumerate(dict.fromkeys(one.figure.metric for one in printed))}
        printed.sort(key=lambda one: order[one.figure.metric])
        dataset = of_benchmark.get(benchmark.name) or _dataset_of(analyst, benchmark)
        computed = _computed(printed, dataset, analyst) if printed and _is_there(analyst, dataset) else {}
        if rows := [row for one in printed for row in _rows(one, computed.get(one.figure, ()))]:
            places = {"printed": 1, "here": 2, "difference": 2}
            title = f"{benchmark.name}: printed and computed figures × 100"
            tables.append(table_of(title, rows, decimals=places, wide=("note", "recipe")))
        if missing := [one for one in printed if one.figure not in computed]:
            ways = _ways([one.figure.metric for one in missing], benchmark.name, dataset, analyst)
            notes.append(f"{benchmark.name}: {len(missing)} printed figures lack data here. To add them: {ways}.")
    every = [row for table in tables for row in table.rows]
    same = sum(row["as printed"] == "yes" for row in every)
    counts = f"{len(every):,} comparisons of printed and computed figures; {same:,} are equal in all printed digits."
    return Found(tables, notes=[counts, *notes, _HOW])


def _rows(printed: "Printed", computed: Sequence[tuple[float, str]]) -> Iterator[dict[str, Any]]:
    from core.benchmarks.published import known_reason

    figure = printed.figure
    quantity = figure.category or QUANTITIES[figure.quantity]
    said = quantity if figure.variant == OWN else f"{figure.variant} {quantity}"
    for value, recipe in computed:
        equal = half_up(value, PRINTED) == half_up(printed.value, PRINTED)
        row = {"metric": figure.metric, "figure": said, "printed": printed.value, "printed in": printed.source}
        row |= {"here": value, "difference": round(value - printed.value, 9), "as printed": "yes" if equal else "no"}
        yield row | {"note": known_reason(printed), "recipe": recipe}


def _dataset_of(analyst: Analyst, benchmark: Benchmark) -> str:
    """Return the data set that has a benchmark's data: by name, or imported from the benchmark's files."""
    names = (benchmark.name, benchmark.named, *analyst.reads.imported_from(benchmark.name))
    return next((name for name in names if _is_there(analyst, name)), benchmark.name)


def _is_there(analyst: Analyst, dataset: str) -> bool:
    return analyst.workplace.repository.samples.has_dataset(dataset)


def _ways(metrics: Sequence[str], benchmark: str, dataset: str, analyst: Analyst) -> str:
    """Return the commands that add missing data, each with its metrics."""
    known = {metric.name for metric in analyst.workplace.metrics}
    brings = f"{COMMAND} get {benchmark}" if benchmark in {one.name for one in PUBLISHED} else _BY_IMPORT
    ways: dict[str, dict[str, None]] = {}
    for metric in metrics:
        scores = f"{COMMAND} score METRIC --dataset {dataset}" if metric in known else _BY_IMPORT
        for way in (*(() if _is_there(analyst, dataset) else (brings,)), scores):
            ways.setdefault(way, {})[metric] = None
    return "; ".join(f"{way} ({', '.join(of)})" for way, of in ways.items())


def _computed(printed: Sequence["Printed"], dataset: str, analyst: Analyst) -> "dict[Figure, list[tuple[float, str]]]":
    """Return the numbers computed from a benchmark's data set, times 100, each with its recipe."""
    benchmark, table = printed[0].figure.benchmark, analyst.table(dataset)
    wanted = {(one.figure.metric, one.figure.variant) for one in printed}
    own = [column for column in table.compared.values() if column.metric in {metric for metric, _ in wanted}]
    parts = [part_name(one.name, of) for one in own for metric, of in wanted if metric == one.metric]
    names = [name for name in (*(one.name for one in own), *parts) if split(name)[1] not in (OWN, RAW)]
    try:
        found, used = figures(analyst, Asked((dataset,)), benchmark, [*filter(table.find, names)], intervals=False)
    except BadSetting:  # there are no such scores, or the samples have no judgements
        return {}
    counts = [len(one) for one, _ in analyst.workplace.repository.samples.reference_sets(dataset)]
    references = (min(counts), max(counts)) if counts else (0, 0)
    computed: dict[Figure, list[tuple[float, str]]] = {}
    rows: list[Row] = [*found.taus, *found.accuracies]
    for row in rows:
        metric = used.metric(split(row.metric)[0])
        known = analyst.workplace.repository.scores.signatures(dataset, metric.metric)
        signature = metric.name if metric.name != metric.metric else next(iter(known), metric.metric)
        low, high = references
        read = f"{low} references each" if low == high else f"{low} to {high} references"
        recipe = "; ".join(filter(None, (_counted(row), _EXCLUDED.get(benchmark, ""), read, signature)))
        for figure, value in _values(row, metric.metric, references):
            computed.setdefault(figure, []).append((100 * value, recipe))
    return computed


def _values(row: "Row", metric: str, references: tuple[int, int]) -> "Iterator[tuple[Figure, float]]":
    """Yield the computed values in a row, each with the printed figure that it corresponds to."""
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.published import Figure

    variant = row.variant or OWN
    if isinstance(row, Correlation):
        if row.tau_b is not None and row.tau_c is not None:
            yield Figure(row.benchmark, metric, variant, "tau_b"), row.tau_b
            yield Figure(row.benchmark, metric, variant, "tau_c"), row.tau_c
    elif row.accuracy is not None:
        categories: list[str | None] = [row.category]
        if row.category == row.benchmark:  # only FOIL, whose papers print an accuracy per number of references
            categories = [None, *(f"{n}-ref" for n in (1, 4) if references == (n, n))]
        for category in categories:
            yield Figure(row.benchmark, metric, variant, "accuracy", category), row.accuracy


def _counted(row: "Row") -> str:
    """Return what a figure counts."""
    from core.benchmarks.correlation import Correlation

    if isinstance(row, Correlation):
        return f"{row.n:,} {row.unit}" if row.unit == "judgements" else f"{row.n:,} captions with mean judgements"
    half, rounded = row.accuracy_half_credit, ""
    if half is not None:
        rounded = f"; if they count as half right: {half_up(100 * half, 2)}"
    return f"{row.n:,} pairs; {row.ties:,} with equal scores count as wrong{rounded}"


SECTION = Section("published", "Printed figures, computed again", made, on_page=False, in_report=False, is_kept=False)
