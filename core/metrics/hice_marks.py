"""Link phrases and regions for HICE-S if their similarity reaches a threshold."""

from collections.abc import Sequence

from core.captions.phrases import CaptionPhrase
from core.metrics.hice_labels import Matrix
from core.types import Explanation, ImageRegion, Mark, Phrase, Region

NOT_ENGLISH = "not_english"  # component of a score whose caption was not read because it does not look English
NOT_COMPARED = "Not compared: the caption does not look English."


def linked(matrix: Matrix, regions: Sequence[ImageRegion], phrases: Sequence[CaptionPhrase], cut: float) -> Explanation:
    """Return every phrase with its most similar region, and every region with its most similar phrase.

    If several are equally similar, the first is used. The matrix is [len(regions), len(phrases)], both at least 1. If
    the similarity is at least `cut`, the phrase is "correct" and the region is mentioned (Zeng et al., section 4.5).
    """
    best_regions, precisions = matrix.argmax(axis=0).tolist(), matrix.max(axis=0).tolist()
    best_phrases, recalls = matrix.argmax(axis=1).tolist(), matrix.max(axis=1).tolist()
    return Explanation(
        phrases=tuple(
            Phrase(
                phrase.text,
                phrase.span,
                precision,
                region,
                marked(phrase, precision, cut),
                kind=phrase.claim,
                shown=phrase.shown,
                denied=phrase.denied,
            )
            for phrase, precision, region in zip(phrases, precisions, best_regions, strict=True)
        ),
        regions=tuple(
            Region(region.rle, region.size, region.label, region.is_full, recall, phrase, recall >= cut)
            for region, recall, phrase in zip(regions, recalls, best_phrases, strict=True)
        ),
    )


def marked(phrase: CaptionPhrase, precision: float, cut: float) -> Mark:
    """Return the mark of a phrase: "correct" if its precision is at least the threshold `cut`.

    A denied phrase is "not judged", because similarity cannot judge a denial.
    """
    if phrase.kind == "denied":
        return "not judged"
    return "correct" if precision >= cut else "incorrect"


def not_linked(matrix: Matrix, regions: Sequence[ImageRegion]) -> Explanation:
    """Return the regions without links to phrases, for a caption that does not look English.

    The matrix is [len(regions), 1], because the whole caption is compared instead of its phrases.
    """
    return Explanation(
        regions=tuple(
            Region(region.rle, region.size, region.label, region.is_full, float(recall), None, False, NOT_COMPARED)
            for region, recall in zip(regions, matrix.max(axis=1), strict=True)
        )
    )
