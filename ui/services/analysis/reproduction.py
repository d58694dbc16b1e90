"""Compare each number that four papers printed with the same number computed from the data in this data folder."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from core.analysis.column_names import part_name
from core.analysis.score_table import MetricColumn
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Benchmark
from core.datasets.published_files import PUBLISHED
from core.errors import BadSetting, NotFound
from core.installation import COMMAND
from core.long_work.progress import report
from core.metrics import Metric
from core.statistics.rounding import half_up
from core.types import OWN
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.board import Board, BoardRow, computed_table, missing_table
from ui.services.analysis.correlation_rows import QUANTITIES
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.tables import Table

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.pairwise import PairwiseAccuracy
    from core.benchmarks.printed_figures import Figure, Printed

COMPARING = "Comparing figures with printed figures"
PRINTED = 1  # number of decimals of a printed value
ONE, SEVERAL = "1-ref", "4-ref"  # categories of the benchmark FOIL: the metric reads one reference, or four references
_EXCLUDED = {"flickr8k-expert": "without the 158 pairs in which a picture is compared with its own caption"}
_BY_IMPORT = f"{COMMAND} import capevalkit, or import your own CSV"


@dataclass(frozen=True, slots=True)
class _Computed:
    """A number that was computed from a data set in this data folder."""

    column: MetricColumn
    value: float
    recipe: str


def reproduction(desk: AgreementDesk, analyst: Analyst, only: str | None = None, dataset: str | None = None) -> Board:
    """Return the reproduction board: printed numbers beside computed numbers.

    only: a benchmark; None: all benchmarks. dataset: the data set from which the numbers of the benchmark `only` are
    computed. None: the data set has the benchmark's name, or else the benchmark's name in result files (see
    _dataset_of). Raises Cancelled.
    """
    from core.benchmarks.printed_figures import printed_figures

    benchmarks = [one for one in BENCHMARKS if only in (None, one.name)]
    computed: list[Table[BoardRow]] = []
    missing: list[Table[BoardRow]] = []
    for place, benchmark in enumerate(benchmarks):
        report(COMPARING, place, len(benchmarks))
        name = benchmark.name
        printed = [one for one in printed_figures() if one.figure.benchmark == name]
        order = {metric: at for at, metric in enumerate(dict.fromkeys(one.figure.metric for one in printed))}
        printed.sort(key=lambda one: order[one.figure.metric])
        rows = list(_rows(printed, dataset or _dataset_of(analyst, benchmark), desk, analyst))
        found = [row for row in rows if row.computed is not None]
        others = [row for row in rows if row.computed is None]
        computed += [computed_table(name, found)] if found else []
        missing += [missing_table(name, others)] if others else []
    report(COMPARING, len(benchmarks), len(benchmarks))
    return Board(computed, missing, [_summary(computed, missing), _HOW])


def _rows(printed: Sequence["Printed"], dataset: str, desk: AgreementDesk, analyst: Analyst) -> Iterator[BoardRow]:
    from core.benchmarks.known_differences import known_reason

    is_there = _is_there(analyst, dataset)
    figures = _figures(printed, dataset, desk, analyst) if printed and is_there else {}
    for one in printed:
        figure = one.figure
        names = figure.benchmark, figure.metric, _said(figure), one.value, one.source
        of_figure = figures.get(figure, [])
        for computed in of_figure:
            difference = computed.value - one.value
            same = "yes" if half_up(computed.value, PRINTED) == half_up(one.value, PRINTED) else "no"
            yield BoardRow(*names, computed.value, difference, same, computed.recipe, known_reason(one), "")
        if not of_figure:
            fills = _fills(figure, dataset, analyst.workplace.metrics, is_there)
            yield BoardRow(*names, None, None, "", "", known_reason(one), fills)


def _said(figure: "Figure") -> str:
    quantity = figure.category or QUANTITIES[figure.quantity].strip() or "accuracy"
    return quantity if figure.variant == OWN else f"{figure.variant} {quantity}"


def _dataset_of(analyst: Analyst, benchmark: Benchmark) -> str:
    """Return the name of the data set that has a benchmark's data.

    If a data set has the benchmark's name, it is this data set. The second choice is the data set with the benchmark's
    name in result files. The third choice is a data set that was imported from the benchmark's files.
    """
    names = (benchmark.name, benchmark.named, *analyst.workplace.repository.analysis.imported_from(benchmark.name))
    return next((name for name in names if _is_there(analyst, name)), benchmark.name)


def _is_there(analyst: Analyst, dataset: str) -> bool:
    try:
        analyst.stamp(dataset)
    except NotFound:
        return False
    return True


def _fills(figure: "Figure", dataset: str, metrics: Sequence[type[Metric]], is_there: bool) -> str:
    """Return the commands that add the data for a printed number.

    is_there: whether the benchmark's data set exists.
    """
    brings = f"{COMMAND} get {figure.benchmark}" if figure.benchmark in {one.name for one in PUBLISHED} else _BY_IMPORT
    scores = f"{COMMAND} score {figure.metric} --dataset {dataset}"
    known = figure.metric in {metric.name for metric in metrics}
    return "; ".join([*([] if is_there else [brings]), scores if known else _BY_IMPORT])


def _figures(
    printed: Sequence["Printed"], dataset: str, desk: AgreementDesk, analyst: Analyst
) -> dict["Figure", list[_Computed]]:
    """Return the numbers computed from a benchmark's data set.

    The result is empty if the data set has no usable scores.
    """
    from core.benchmarks.printed_figures import Figure

    benchmark, table = printed[0].figure.benchmark, analyst.table(dataset)
    wanted = {(one.figure.metric, one.figure.variant) for one in printed}
    own = [column for column in table.compared.values() if column.metric in {metric for metric, _ in wanted}]
    parts = [
        part_name(column.name, variant)
        for column in own
        for metric, variant in wanted
        if metric == column.metric and variant not in (OWN, "raw")
    ]
    columns = {one: column for one in (*(column.name for column in own), *parts) if (column := table.find(one))}
    if not columns:
        return {}
    try:
        found = desk.figures(dataset, [*columns], benchmark)
    except (BadSetting, NotFound):  # raised if the samples have no judgements, or if an import has just changed them
        return {}
    references = _references(analyst, dataset)
    computed: dict[Figure, list[_Computed]] = {}
    rows: list[Correlation | PairwiseAccuracy] = [*found.taus, *found.accuracies]
    for row in rows:
        column, variant = columns[row.metric], row.variant or OWN
        recipe = _recipe(row, column, dataset, references, analyst)
        for figure, value in _values(row, benchmark, column.metric, variant, references):
            computed.setdefault(figure, []).append(_Computed(column, 100 * value, recipe))
    return computed


def _values(
    row: "Correlation | PairwiseAccuracy", benchmark: str, metric: str, variant: str, references: tuple[int, int]
) -> Iterator[tuple["Figure", float]]:
    """Yield the computed values in a row, each with a key.

    The key is a `Figure`, which identifies the number that papers printed for the same quantity.
    """
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.printed_figures import Figure

    if isinstance(row, Correlation):
        for quantity, tau in (("tau_b", row.tau_b), ("tau_c", row.tau_c)):
            if tau is not None:
                yield Figure(benchmark, metric, variant, quantity), tau  # type: ignore[arg-type]
    elif row.accuracy is not None:
        categories: Iterable[str | None] = [row.category]
        if row.category == benchmark:  # true only for FOIL, whose papers print an accuracy per number of references
            categories = [None, *([ONE] if references == (1, 1) else [SEVERAL] if references == (4, 4) else [])]
        for category in categories:
            yield Figure(benchmark, metric, variant, "accuracy", category), row.accuracy


def _references(analyst: Analyst, dataset: str) -> tuple[int, int]:
    """Return the smallest and the largest number of references of a sample."""
    counts = [len(one) for one, _ in analyst.workplace.repository.samples.reference_sets(dataset)]
    return (min(counts), max(counts)) if counts else (0, 0)


def _recipe(
    row: "Correlation | PairwiseAccuracy",
    column: MetricColumn,
    dataset: str,
    references: tuple[int, int],
    analyst: Analyst,
) -> str:
    """Return one line that says how a number was computed."""
    from core.benchmarks.correlation import Correlation

    low, high = references
    read = f"{low} references each" if low == high else f"{low} to {high} references"
    if isinstance(row, Correlation):
        rule = next(one for one in BENCHMARKS if one.name == row.benchmark)
        judges = "single judgements" if rule.per_judgement else "captions, each with the mean of its human judgements"
        counted = f"n {row.n:,} {judges}"
    else:
        half = (
            ""
            if row.accuracy_half_credit is None
            else f"; if they count as half right: {half_up(100 * row.accuracy_half_credit, 2)}"
        )
        ties = "1 pair with equal scores counts" if row.ties == 1 else f"{row.ties:,} pairs with equal scores count"
        counted = f"n {row.n:,} pairs; {ties} as wrong{half}"
    signature = column.own if column.own != column.metric else _signature(analyst, dataset, column.metric)
    return "; ".join(filter(None, (counted, _EXCLUDED.get(row.benchmark, ""), read, signature)))


def _signature(analyst: Analyst, dataset: str, metric: str) -> str:
    return next(iter(analyst.workplace.repository.scores.signatures(dataset, metric)), metric)


def _summary(computed: Sequence[Table[BoardRow]], missing: Sequence[Table[BoardRow]]) -> str:
    rows = [row for table in computed for row in table.rows]
    same, lacking = sum(row.same == "yes" for row in rows), sum(len(table.rows) for table in missing)
    return (
        f"{len(rows):,} comparisons of printed and computed figures; {same:,} are equal in all printed digits. "
        f"For {lacking:,} printed figures the data are missing here. Computed on {date.today().isoformat()}."
    )


_HOW = (
    "A benchmark's figures are computed from the data set with the benchmark's name. If there is none, a data set that "
    "was imported from the benchmark's files is used. A metric with several settings has one row per setting."
)
