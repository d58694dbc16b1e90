"""Links between the phrases of a caption and the regions of its picture."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.captions.phrases import CaptionPhrase
from core.types import Explanation, ImageRegion, Phrase, Region

Matrix = npt.NDArray[np.float64]  # similarities ≥ 0: [regions, phrases] or [reference phrases, phrases]


def linked(matrix: Matrix, regions: Sequence[ImageRegion], phrases: Sequence[CaptionPhrase]) -> Explanation:
    """Return every phrase with its best region and every region with its best phrase; the first of equals.

    The matrix is [len(regions), len(phrases)], neither empty.
    """
    best_regions, precisions = matrix.argmax(axis=0).tolist(), matrix.max(axis=0).tolist()
    best_phrases, recalls = matrix.argmax(axis=1).tolist(), matrix.max(axis=1).tolist()
    return Explanation(
        phrases=tuple(
            Phrase(phrase.text, phrase.span, precision, region)
            for phrase, precision, region in zip(phrases, precisions, best_regions, strict=True)
        ),
        regions=tuple(
            Region(region.rle, region.size, region.label, region.is_full, recall, phrase)
            for region, recall, phrase in zip(regions, recalls, best_phrases, strict=True)
        ),
    )
