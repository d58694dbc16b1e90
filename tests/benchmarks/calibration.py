"""Where the cut of judging by labels lies: `python -m tests.benchmarks.calibration` prints what decision 041 tells.

The supports of phrases on their own pictures are set against those on other pictures, both counting the same. A
logistic curve over the cosine says how likely a phrase is of the picture; the weight takes the cosine at which that is
one half to 0.5, the cut.
"""

import math
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.metrics.hice import CUT, HICE
from core.models import ModelSettings
from tests.benchmarks.annotated_captions import FOLDS, SEED, Picture, judge, pictures

OTHERS = 4  # other pictures that each caption is judged on
STEPS = 50  # of Newton's method
Cosines = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Supports:
    """Best cosines of phrases with regions of a picture, each with the number of the picture the caption is of."""

    own: Cosines
    own_picture: npt.NDArray[np.int64]
    foreign: Cosines
    foreign_picture: npt.NDArray[np.int64]

    def of(self, wanted: Sequence[int]) -> tuple[Cosines, Cosines]:
        """Return the cosines of captions of some pictures, on their own picture and on others."""
        own, foreign = np.isin(self.own_picture, wanted), np.isin(self.foreign_picture, wanted)
        return self.own[own], self.foreign[foreign]


def supports(metric: HICE, found: Sequence[Picture], draw: random.Random) -> Supports:
    """Judge every caption on its own picture and on others; the metric's weight must be 1."""
    own: list[tuple[float, int]] = []
    foreign: list[tuple[float, int]] = []
    for number, picture in enumerate(found):
        others = [other for other in found if other is not picture]
        here = [(picture, caption) for caption in picture.captions]
        there = [(other, caption) for caption in picture.captions for other in draw.sample(others, OTHERS)]
        for pairs, kept in ((here, own), (there, foreign)):
            for printed in judge(metric, pairs):
                kept += [(phrase["support"], number) for phrase in printed["explanation"]["phrases"]]
    return Supports(*(np.array(column) for kept in (own, foreign) for column in zip(*kept, strict=True)))


def even_odds(own: Cosines, foreign: Cosines) -> tuple[float, float]:
    """Return the cosine at which a logistic curve, both sides counting the same, is one half, and its steepness."""
    x = np.concatenate([own, foreign])
    truth = np.concatenate([np.ones(len(own)), np.zeros(len(foreign))])
    share = np.concatenate([np.full(len(own), 1 / len(own)), np.full(len(foreign), 1 / len(foreign))])
    design, beta = np.stack([x, np.ones_like(x)]), np.zeros(2)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-beta @ design))
        beta += np.linalg.solve(
            (design * share * likely * (1 - likely)) @ design.T, design @ (share * (truth - likely))
        )
    return float(-beta[1] / beta[0]), float(beta[0])


def weight(own: Cosines, foreign: Cosines) -> float:
    """Return the w that takes even odds to the cut."""
    return CUT / even_odds(own, foreign)[0]


def main(folder: Path) -> None:
    """Print the weight of all pictures, those of the folds with what they do on the others, and the curve."""
    found = pictures(folder)
    options = {"regions": str(folder / "instances_subset.json"), "w": "1"}
    seen = supports(HICE.load(ModelSettings(options=options)), found, random.Random(SEED))
    numbers = random.Random(SEED).sample(range(len(found)), len(found))
    cosine, steepness = even_odds(seen.own, seen.foreign)
    print(f"{len(found)} pictures, {len(seen.own)} phrases of their own and {len(seen.foreign)} of others' captions")
    print(f"even odds at a cosine of {cosine:.3f}, steepness {steepness:.1f}: w = {CUT / cosine:.2f}")
    for fold in range(FOLDS):
        held = numbers[fold::FOLDS]
        at = CUT / weight(*seen.of([n for n in numbers if n not in held]))
        own, foreign = seen.of(held)
        print(
            f"fold {fold + 1}: even odds at {at:.3f}; held out: {share(own, at)} own, {share(foreign, at)} others' pass"
        )
    print("cosine  own  others'  curve")
    for cut in np.arange(0.2, 0.75, 0.05):
        curve = 1 / (1 + math.exp(-steepness * (cut - cosine)))
        print(f"{cut:.2f}  {share(seen.own, cut)}  {share(seen.foreign, cut)}  {100 * curve:.0f} %")


def share(cosines: Cosines, cut: float) -> str:
    """Return how many reach the cut."""
    return f"{100 * float((cosines >= cut).mean()):.0f} %"


if __name__ == "__main__":
    shared = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    main(shared / "data" / "coco")
