"""HICE-S without an encoder that reads pictures.

A phrase matches a region if the phrase names the region's label.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.captions.labelled_caption import LabelledCaption
from core.captions.phrases import CaptionPhrase
from core.types import Explanation, ImageRegion, Phrase, Region

ALIKE = 0.7  # minimum cosine of all-MiniLM-L6-v2 at which an unknown noun and a label mean the same

Matrix = npt.NDArray[np.float64]  # similarities ≥ 0: [regions, phrases] or [reference phrases, phrases]


def linked_by_labels(
    matrix: Matrix,
    regions: Sequence[ImageRegion],
    phrases: Sequence[CaptionPhrase],
    caption: LabelledCaption,
    compared: int | None = None,
) -> Explanation:
    """Return phrases and regions as an explanation. A phrase is linked to a region that it names.

    If a phrase names several regions, all are linked. Its best region has the highest value in the matrix. The whole
    picture counts as mentioned if any region is mentioned. compared: the number of phrases that the score compares,
    counted from the first one; None: all. Only these phrases count for a region's own value.
    """
    mentioned, verdicts = caption.regions.mentioned, [caption.verdict(phrase) for phrase in phrases]
    named_by = [caption.regions.named_by(phrase) for phrase in phrases]
    named = np.array([[place in places for places in named_by] for place in range(len(regions))])
    links = np.where(named, matrix, -1.0)  # [regions, phrases]
    return Explanation(
        phrases=tuple(
            Phrase(
                phrase.text,
                phrase.span,
                float(matrix[:, place].max()),
                int(links[:, place].argmax()) if named[:, place].any() else None,
                verdicts[place].mark,
                caption.things(phrase),
                phrase.claim,
                verdicts[place].part or phrase.shown,
                verdicts[place].reason,
                tuple(np.flatnonzero(named[:, place]).tolist()),
                phrase.denied,
            )
            for place, phrase in enumerate(phrases)
        ),
        regions=tuple(
            Region(
                region.rle,
                region.size,
                region.label,
                region.is_full,
                float(matrix[place, :compared].max()),
                int(links[place].argmax()) if named[place].any() else None,
                bool(mentioned) if region.is_full else place in mentioned,
                caption.regions.reason_of(place),
            )
            for place, region in enumerate(regions)
        ),
    )
