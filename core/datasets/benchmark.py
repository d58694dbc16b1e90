"""What a benchmark is: how it sets human judgements against scores, on which scale people judged, what is printed."""

from dataclasses import dataclass
from typing import Literal

Tau = Literal["b", "c"]
Scale = tuple[float, float]  # lowest and highest judgement


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How a benchmark turns human judgements and scores into one tau, or counts which of two captions is preferred."""

    name: str
    tau: Tau = "c"  # the one that papers report; without meaning where pairs are counted
    per_judgement: bool = False  # every single judgement is an observation, the score repeated; else the mean
    counts_pairs: bool = False  # people chose between two captions: accuracies a category, no tau
    categories: tuple[str, ...] = ()  # of pairs, whose unweighted mean is a figure as well
    human_scale: Scale | None = None  # of single judgements in result files; None: not judged one by one
    files_named: str = ""  # in the names of result files, where they do not say `name`

    @property
    def named(self) -> str:
        """What the name of a result file says, in lower case, for it to be of this benchmark."""
        return self.files_named or self.name
