"""A benchmark: how it compares judgements and scores, its scale, and figures that papers published."""

from dataclasses import dataclass
from typing import Literal

from core.types import Variant

Tau = Literal["b", "c"]
Quantity = Literal["tau_b", "tau_c", "accuracy"]
Scale = tuple[float, float]  # lowest and highest judgement


@dataclass(frozen=True, slots=True)
class Published:
    """One number that a paper printed."""

    metric: str
    benchmark: str
    quantity: Quantity
    value: float  # times 100
    paper: str  # the paper that printed the figure, not always the paper of the metric
    table: str  # what the paper's table with this value is about
    variant: Variant = "smoothed"  # "raw": before score smoothing
    category: str | None = None  # Pascal-50S: HC, HI, HM, MM or mean; FOIL: number of references, "1-ref" or "4-ref"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How a benchmark computes its figure from human judgements and scores.

    The figure is Kendall's tau or an accuracy. The accuracy says how often a metric prefers the same caption of a pair
    as people do.
    """

    name: str
    tau: Tau = "c"  # the tau that papers report; not used if `counts_pairs` is True
    per_judgement: bool = False  # True: the score is compared with each judgement; False: only with their mean
    counts_pairs: bool = False  # True: people chose between two captions, so accuracies by category replace the tau
    categories: tuple[str, ...] = ()  # categories of pairs; their unweighted mean is also reported
    human_scale: Scale | None = None  # scale of individual judgements in result files; None: no individual judgements
    files_named: str = ""  # the benchmark's name in result files, if it differs from `name`

    @property
    def named(self) -> str:
        """A lower-case text that occurs in the names of all of this benchmark's result files."""
        return self.files_named or self.name
