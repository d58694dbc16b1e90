"""Links between the phrases of a caption and the regions of its picture."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.captions.phrases import CaptionPhrase
from core.metrics.hice_labels import LabelledScene
from core.types import Explanation, ImageRegion, Phrase, Region

Matrix = npt.NDArray[np.float64]  # similarities ≥ 0: [regions, phrases] or [reference phrases, phrases]


def linked(matrix: Matrix, regions: Sequence[ImageRegion], phrases: Sequence[CaptionPhrase], cut: float) -> Explanation:
    """Return every phrase with its best region and every region with its best phrase; the first of equals.

    The matrix is [len(regions), len(phrases)], neither empty. At or above the cut a phrase is correct and a region
    mentioned (Zeng et al., section 4.5).
    """
    best_regions, precisions = matrix.argmax(axis=0).tolist(), matrix.max(axis=0).tolist()
    best_phrases, recalls = matrix.argmax(axis=1).tolist(), matrix.max(axis=1).tolist()
    return Explanation(
        phrases=tuple(
            Phrase(phrase.text, phrase.span, precision, region, "correct" if precision >= cut else "incorrect")
            for phrase, precision, region in zip(phrases, precisions, best_regions, strict=True)
        ),
        regions=tuple(
            Region(region.rle, region.size, region.label, region.is_full, recall, phrase, recall >= cut)
            for region, recall, phrase in zip(regions, recalls, best_phrases, strict=True)
        ),
    )


def linked_by_labels(
    matrix: Matrix, regions: Sequence[ImageRegion], phrases: Sequence[CaptionPhrase], scene: LabelledScene,
    mentioned: frozenset[int],
) -> Explanation:  # fmt: skip
    """Return phrases and regions linked where a phrase names a region, the best of several by the matrix.

    mentioned: places of the regions that the caption names. The whole picture is mentioned where one of its parts is.
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
                scene.mark(phrase),
                scene.things(phrase),
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
