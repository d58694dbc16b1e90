"""Compare the cost of metrics with their agreement: seconds per sample, tokens, money."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from core.analysis.column_names import split
from core.costs import Price, Usage, summed
from core.types import RAW
from storage.types import StoredCost
from ui.services.tables import Table, count, number, text
from ui.services.workplace import Workplace

if TYPE_CHECKING:
    from core.benchmarks.figures import Correlated

# seconds per sample in papers, with the source
PUBLISHED: Mapping[str, str] = {
    "FLEUR": "0.70 (FLEUR, Table 6, RTX 3090)",
    "RefFLEUR": "0.76 (FLEUR, Table 6, RTX 3090)",
}


@dataclass(frozen=True, slots=True)
class CostRow:
    """The measured cost of one metric's scores and errors. None: unknown."""

    metric: str  # the metric's name in the table of correlations
    agreement: float | None  # tau or accuracy, times 100
    samples: int  # number of outcomes (scores and errors) whose cost is stored
    timed: int  # number of outcomes whose time in seconds was measured
    seconds: float | None  # mean seconds per sample, summed over all steps of scoring
    picture: float | None  # mean seconds for reading and encoding the picture, as a part of `seconds`
    model: float | None  # mean seconds for the model, as a part of `seconds`
    counted: int  # samples whose answers all have token counts
    tokens: float | None  # mean number of tokens per sample
    usage: Usage | None  # tokens of all samples; None: no server was used
    money: float | None
    published: str  # seconds per sample in a paper
    note: str  # which values are unknown, and why

    @property
    def total(self) -> int | None:
        """Return the sum of prompt and answer tokens."""
        return None if self.usage is None else self.usage.total


def cost_table(workplace: Workplace, dataset: str, correlated: "Correlated", price: Price | None) -> Table[CostRow]:
    """Return a row for each metric whose agreement with people was computed. Raises NotFound."""
    figures: dict[str, float | None] = {}
    for tau in (tau for tau in correlated.taus if not split(tau.metric)[1]):  # skips parts of scores: they have no cost
        figures.setdefault(tau.metric, tau.tau_b if tau.convention == "b" else tau.tau_c)
    for accuracy in correlated.accuracies:  # the mean over all categories is last, so it overwrites the others
        if accuracy.variant != RAW and not split(accuracy.metric)[1]:
            figures[accuracy.metric] = accuracy.accuracy
    costs = workplace.repository.scores.costs(dataset)
    rows = [_row(name, figure, _of(workplace, dataset, name, costs), price) for name, figure in figures.items()]
    head = f"τ-{correlated.taus[0].convention}" if correlated.taus else "accuracy"
    columns = (
        text("metric", "metric"),
        number(head, "agreement", 2),
        count("samples", "samples"),
        number("s a sample", "seconds", 2, undefined="unknown"),
        number("picture", "picture", 2, undefined="", brief=False),
        number("model", "model", 2, undefined="", brief=False),
        number("tokens a sample", "tokens", 1, undefined="unknown"),
        count("tokens", "total", undefined="unknown"),
        *([number("money", "money", 4, undefined="unknown")] if price else []),
        text("published s", "published", brief=False),
    )
    at = f"; prices per million tokens: {price.prompt:g} for prompts, {price.completion:g} for answers" if price else ""
    return Table(f"{dataset}: cost of scores{at}", columns, rows, _footnote(rows))


def _of(workplace: Workplace, dataset: str, name: str, costs: Sequence[StoredCost]) -> list[StoredCost]:
    """Return the costs of the scores in a metric's column.

    name: the column's name in the score table. If the metric has several signatures, the name is one of these
    signatures.
    """
    signatures = {name, *workplace.repository.scores.signatures(dataset, name)}
    return [cost for cost in costs if cost.signature in signatures]


def _row(name: str, figure: float | None, costs: Sequence[StoredCost], price: Price | None) -> CostRow:
    usage = summed(cost.usage for cost in costs)
    timed = [cost.seconds for cost in costs if cost.seconds]
    whole = [cost.usage for cost in costs if cost.usage is not None and 0 < cost.usage.counted == cost.usage.answers]
    tokens = [one.total for one in whole if one.total is not None]
    return CostRow(
        name,
        None if figure is None else 100 * figure,
        len(costs),
        len(timed),
        _mean(sum(seconds.values()) for seconds in timed),
        _mean(seconds.get("picture", 0.0) for seconds in timed),
        _mean(seconds.get("model", 0.0) for seconds in timed),
        len(whole),
        _mean(tokens),
        usage,
        None if price is None else price.of(usage),
        PUBLISHED.get(name.partition("|")[0], ""),
        _note(costs, len(timed), usage),
    )


def _mean(numbers: Iterable[float]) -> float | None:
    """Return the mean of numbers, or None if there are none."""
    values = list(numbers)
    return fmean(values) if values else None


def _note(costs: Sequence[StoredCost], timed: int, usage: Usage | None) -> str:
    if not costs:
        return "no cost is stored, neither tokens nor seconds; to store seconds, use score --timings"
    notes = [] if timed == len(costs) else [f"seconds were measured for {timed:,} of {len(costs):,} samples"]
    if usage is None:
        notes.append("no server answered")
    elif usage.counted < usage.answers:
        notes.append(f"the server counted the tokens of {usage.counted:,} of {usage.answers:,} answers")
    return "; ".join(notes)


def _footnote(rows: Sequence[CostRow]) -> str:
    """Return a footnote about the unknown values in the table."""
    return " ".join(f"{row.metric}: {row.note}." for row in rows if row.note)
