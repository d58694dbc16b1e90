"""HICE-S scores and explanations of the demo that are bundled with the app.

With them the demo can show regions drawn over its pictures, even if no model is installed yet.

The file has every score as the database stores it, but without outlines of regions. The outlines come from the
pictures' annotations. The last region is the whole picture. A test compares the file with newly computed scores.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from core.metrics.evaluator import Evaluator
from core.metrics.hice import HICE
from core.models import ModelSettings
from core.regions.protocols import with_full
from core.types import ImageRef, Outcome, Sample
from storage.data.outcome_columns import outcome_columns, outcome_of
from ui.services.scoring.scoring_plan import with_own_regions

FILE = Path(__file__).parents[2] / "assets" / "demo" / "outcomes.json"
_NO_COSTS: Mapping[str, Any] = {"usage": None, "seconds": None}
# Number of fields at the start of each stored region that depend only on the picture. They are the run lengths,
# height, width, label and is_full.
_DRAWN = 5


def read_outcomes() -> Mapping[str, Any]:
    """Return the scores in the file; key: the sample's key."""
    content: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def outcome_on(columns: Mapping[str, Any], image: ImageRef) -> Outcome:
    """Return a score from the file, with the regions of a picture.

    The picture must be annotated as in the demo.
    """
    assert image.height is not None and image.width is not None
    drawn = with_full(image.regions, (image.height, image.width))
    regions = [
        [region.rle, *region.size, region.label, region.is_full, *supports]
        for region, supports in zip(drawn, columns["regions"], strict=True)
    ]
    return outcome_of(SimpleNamespace(**{**_NO_COSTS, **columns, "regions": regions}))


def made_outcomes(samples: Iterator[Sample]) -> dict[str, Any]:
    """Compute the HICE-S scores for the file; key: the sample's key.

    They are computed with the labels of annotated regions. Raises ModelUnavailable.
    """
    demo_samples = list(samples)
    settings = with_own_regions(HICE, ModelSettings(explain=True))
    outcomes = Evaluator((HICE,)).evaluate(HICE.name, demo_samples, settings)
    return {sample.key: _bare(outcome_columns(outcome)) for sample, outcome in zip(demo_samples, outcomes, strict=True)}


def _bare(columns: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in columns.items() if name not in _NO_COSTS}
    return kept | {"regions": [region[_DRAWN:] for region in columns["regions"]]}
