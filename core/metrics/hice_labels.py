"""HICE-S without an encoder that reads pictures.

Phrases and regions match if a phrase names the region's label.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.captions.labelled_scene import LabelledScene
from core.captions.phrases import CaptionPhrase
from core.types import Explanation, ImageRegion, Phrase, Region

ALIKE = 0.7  # least cosine of all-MiniLM-L6-v2 at which an unknown noun means the same as a label

Matrix = npt.NDArray[np.float64]  # similarities ≥ 0: [regions, phrases] or [reference phrases, phrases]


def linked_by_labels(
    matrix: Matrix, regions: Sequence[ImageRegion], phrases: Sequence[CaptionPhrase], scene: LabelledScene,
    mentioned: frozenset[int],
) -> Explanation:  # fmt: skip
    """Return phrases and regions, linked where a phrase names a region.

    Of several regions the matrix chooses the best. mentioned: places of the regions that the caption names. The whole
    picture counts as mentioned if one of its parts is.
    """
    named = np.array([[place in scene.named_by(phrase) for phrase in phrases] for place in range(len(regions))])
    links = np.where(named, matrix, -1.0)  # [regions, phrases]
    return Explanation(
        phrases=tuple(
            Phrase(
                phrase.text,
                phrase.span,
                float(matrix[:, place].max()),
                int(links[:, place].argmax()) if named[:, place].any() else None,
                scene.mark(phrase, phrases),
                scene.things(phrase),
                phrase.claim,
                phrase.shown,
            )
            for place, phrase in enumerate(phrases)
        ),
        regions=tuple(
            Region(
                region.rle,
                region.size,
                region.label,
                region.is_full,
                float(matrix[place].max()),
                int(links[place].argmax()) if named[place].any() else None,
                bool(mentioned) if region.is_full else place in mentioned,
            )
            for place, region in enumerate(regions)
        ),
    )
