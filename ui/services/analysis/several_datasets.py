"""One table over several data sets, like the first table in most papers. It has a row for each metric.

Each data set has the columns that its benchmark reports: one tau, or accuracies.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.analysis.column_names import split
from core.errors import BadSetting, NotFound
from ui.services.analysis.correlation import Remarks, dataset_figures
from ui.services.tables import Column, Table, text
from ui.services.workplace import Workplace

if TYPE_CHECKING:
    from core.benchmarks.figures import Correlated

DECIMALS = 1  # number of decimals that papers print


@dataclass(frozen=True, slots=True)
class DatasetFigure:
    """One metric's agreement with people on one data set, as a tau or an accuracy times 100."""

    dataset: str
    benchmark: str  # benchmark by whose rules the value is computed; the data set's name if it has no known benchmark
    metric: str
    quantity: str  # "tau_b", "tau_c" or "accuracy"
    category: str  # category of the caption pairs; "mean": mean of all categories; "": the quantity is a tau
    n: int
    value: float | None  # None: undefined


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric's agreement with people on several data sets."""

    label: str
    values: Mapping[str, float | None]  # key: head of the column; value: tau or accuracy; None: undefined


def several_datasets(
    workplace: Workplace, datasets: Sequence[str], metrics: Sequence[str], parts: Sequence[str] = ()
) -> tuple[list[DatasetFigure], Remarks]:
    """Return the agreement of metrics with people on several data sets.

    There are no intervals. metrics: by default all. Each metric must have scores in at least one of the data sets.
    Raises NotFound, BadSetting.
    """
    figures: list[DatasetFigure] = []
    remarks: list[str] = []
    known: set[str] = set()
    for dataset in dict.fromkeys(datasets):
        here = {column.metric for column in workplace.repository.analysis.table(dataset).compared.values()}
        known |= here
        asked = [metric for metric in metrics if metric in here]
        if not here:
            remarks.append(f"{dataset} has no scores of metrics.")
            continue
        if metrics and not asked:
            remarks.append(f"{dataset} has no score of {' or '.join(metrics)}.")
            continue
        of_dataset, said = dataset_figures(workplace, dataset, asked, None, parts, intervals=False)
        if of_dataset.is_empty:
            remarks.append(f"{dataset} has no human judgements of scored samples.")
            continue
        figures += _figures(dataset, of_dataset)
        remarks += [f"{dataset}: {remark}" for remark in said if of_dataset.benchmark != dataset]
    missing = [metric for metric in metrics if metric not in known]
    if missing:
        raise NotFound(f"None of these data sets has a score of {' or '.join(missing)}.")
    if not figures:
        raise BadSetting("None of these data sets has both scores and human judgements.")
    return figures, tuple(remarks)


def table_of(figures: Sequence[DatasetFigure]) -> Table[MetricRow]:
    """Return the figures as a table with a row for each metric.

    Each data set has a column. A data set with several categories of caption pairs has a column for each category.
    """
    heads = {_head(one, figures): one for one in figures}
    rows = dict.fromkeys(one.metric for one in figures)
    values = {(one.metric, _head(one, figures)): one.value for one in figures}
    by_dataset: dict[str, list[DatasetFigure]] = {}
    for one in figures:
        by_dataset.setdefault(one.dataset, []).append(one)
    return Table(
        "Agreement × 100",
        (
            text("metric", "label"),
            *(Column(head, ("values", head), "number", DECIMALS, undefined="–") for head in heads),
        ),
        [MetricRow(_label(metric), {head: values.get((metric, head)) for head in heads}) for metric in rows],
        "; ".join(_size(of) for of in by_dataset.values()) + ".",
    )


def _figures(dataset: str, found: "Correlated") -> Iterator[DatasetFigure]:
    """Yield one value of agreement for each metric and category.

    If a metric has several variants, only the first one is used. This is the smoothed score, if the metric has one.
    """
    seen: set[tuple[str, str]] = set()
    for tau in found.taus:
        if (tau.metric, "") not in seen:
            value = tau.tau_b if tau.convention == "b" else tau.tau_c
            named = dataset, found.benchmark, tau.metric, f"tau_{tau.convention}", ""
            yield DatasetFigure(*named, tau.n, None if value is None else 100 * value)
        seen.add((tau.metric, ""))
    categories = {row.category for row in found.accuracies}
    for row in found.accuracies:
        is_told = "mean" not in categories or row.category == "mean"
        if is_told and (row.metric, row.category) not in seen:
            value = None if row.accuracy is None else 100 * row.accuracy
            yield DatasetFigure(dataset, found.benchmark, row.metric, "accuracy", row.category, row.n, value)
        seen.add((row.metric, row.category))


def _size(figures: Sequence[DatasetFigure]) -> str:
    """Return a data set's name and number of judgements as text.

    If scores are compared with people by the rules of another benchmark, the text names this benchmark. The number is
    the largest of all metrics, because a metric may lack some scores.
    """
    dataset, benchmark = figures[0].dataset, figures[0].benchmark
    rules = "" if benchmark == dataset else f" by the rules of {benchmark}"
    return f"{dataset}{rules}: n = {max(one.n for one in figures):,}"


def _head(one: DatasetFigure, figures: Sequence[DatasetFigure]) -> str:
    quantity = {"tau_b": "τ-b", "tau_c": "τ-c"}.get(one.quantity, "accuracy")
    categories = {other.category for other in figures if other.dataset == one.dataset}
    return " ".join(filter(None, (one.dataset, one.category if len(categories) > 1 else "", quantity)))


def _label(column: str) -> str:
    return " ".join(filter(None, split(column)))
