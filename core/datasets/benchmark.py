"""What a benchmark is: how it sets human judgements against scores, on which scale people judged, what is printed."""

from dataclasses import dataclass
from typing import Literal

from core.types import Variant

Tau = Literal["b", "c"]
Quantity = Literal["tau_b", "tau_c", "accuracy"]
Scale = tuple[float, float]  # lowest and highest judgement


@dataclass(frozen=True, slots=True)
class Published:
    """One number of a paper."""

    metric: str
    benchmark: str
    quantity: Quantity
    value: float  # times 100
    paper: str  # where it was printed; not always the paper that proposes the metric
    table: str  # what the source table is about
    variant: Variant = "smoothed"  # "raw": before score smoothing
    category: str | None = None  # of Pascal-50S (HC, HI, HM, MM, mean) or FOIL (references given: "1-ref", "4-ref")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How a benchmark turns human judgements and scores into one tau, or counts which of two captions is preferred."""

    name: str
    tau: Tau = "c"  # the one that papers report; without meaning where pairs are counted
    per_judgement: bool = False  # every single judgement is an observation, the score repeated; else the mean
    counts_pairs: bool = False  # people chose between two captions: accuracies a category, no tau
    categories: tuple[str, ...] = ()  # of pairs, whose unweighted mean is a figure as well
    human_scale: Scale | None = None  # of single judgements in result files; None: not judged one by one
    published: tuple[Published, ...] = ()  # what papers print of it besides core.benchmarks.published
    files_named: str = ""  # in the names of result files, where they do not say `name`

    @property
    def named(self) -> str:
        """What the name of a result file says, in lower case, for it to be of this benchmark."""
        return self.files_named or self.name
