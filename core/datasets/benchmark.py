"""A benchmark: how it compares judgements and scores, and its scale."""

from dataclasses import dataclass
from typing import Literal

Tau = Literal["b", "c"]
Quantity = Literal["tau_b", "tau_c", "accuracy"]
Scale = tuple[float, float]  # lowest and highest judgement


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
