"""Where the cut of judging by labels lies: `python -m tests.benchmarks.calibration` prints what decision 041 tells.

The supports of phrases on their own pictures are set against those on other pictures, both counting the same. A
logistic curve over the cosine says how likely a phrase is of the picture; the weight takes the cosine at which that is
one half to 0.5, the cut.
"""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from core.metrics.hice import CUT, HICE
from core.models import ModelSettings
from tests.benchmarks.annotated_captions import SEED, Picture, judge, pictures

OTHERS = 4  # other pictures that each caption is judged on
Cosines = npt.NDArray[np.float64]


def supports(metric: HICE, found: Sequence[Picture], draw: random.Random) -> tuple[Cosines, Cosines]:
    """Return the phrases' best cosines on their own pictures and on others; the metric's weight must be 1."""
    own = [(picture, caption) for picture in found for caption in picture.captions]
    others = {picture.name: [other for other in found if other is not picture] for picture in found}
    foreign = [(other, caption) for picture, caption in own for other in draw.sample(others[picture.name], OTHERS)]
    read = ([one for printed in judge(metric, pairs) for one in printed["explanation"]["phrases"]]
            for pairs in (own, foreign))  # fmt: skip
    here, there = (np.array([phrase["support"] for phrase in phrases]) for phrases in read)
    return here, there


def even_odds(own: Cosines, foreign: Cosines) -> tuple[float, float]:
    """Return the cosine at which a logistic curve, both sides counting the same, is one half, and its steepness."""

    def loss(line: Cosines) -> float:
        losses = (np.logaddexp(0, sign * (line[0] * x + line[1])).mean() for sign, x in ((-1, own), (1, foreign)))
        return float(sum(losses))

    steepness, offset = minimize(loss, (1.0, 0.0)).x
    return float(-offset / steepness), float(steepness)


def main(folder: Path) -> None:
    """Print the weight that all pictures give, and how many phrases pass the cut."""
    options = {"regions": str(folder / "instances_subset.json"), "w": "1"}
    found = pictures(folder)
    own, foreign = supports(HICE.load(ModelSettings(options=options)), found, random.Random(SEED))
    cosine, steepness = even_odds(own, foreign)
    print(f"{len(found)} pictures, {len(own)} phrases of their own and {len(foreign)} of others' captions")
    print(f"even odds at a cosine of {cosine:.3f}, steepness {steepness:.1f}: w = {CUT / cosine:.2f}")
    for cut in np.arange(0.2, 0.75, 0.05):
        shares = (f"{100 * (cosines >= cut).mean():.0f} %" for cosines in (own, foreign))
        print(f"{cut:.2f} ", *shares)


if __name__ == "__main__":
    shared = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    main(shared / "data" / "coco")
