"""HICE-S's explanation: which phrase belongs to which region, and whether phrases are right and regions mentioned."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.captions.judging.caption import LabelledCaption
from core.captions.reading.phrases import CaptionPhrase
from core.types import Explanation, ImageRegion, Mark, Phrase, Region

Matrix = npt.NDArray[np.float64]  # similarities ≥ 0: [regions, phrases]
NOT_COMPARED = "Not compared: the caption does not look English."


def linked_by_labels(
    matrix: Matrix,
    regions: Sequence[ImageRegion],
    phrases: Sequence[CaptionPhrase],
    caption: LabelledCaption,
    compared: int | None = None,
) -> Explanation:
    """Return phrases and regions as an explanation. A phrase is linked to the regions that it names.

    Its best region has the highest value in the matrix. The whole picture counts as mentioned if any region is
    mentioned. compared: how many of the phrases, from the first on, the score compares; None: all. Only these phrases
    count for a region's own value.
    """
    mentioned, named_by = caption.mentioned, [caption.named_by(phrase) for phrase in phrases]
    named = np.array([[place in places for places in named_by] for place in range(len(regions))])
    links = np.where(named, matrix, -1.0)  # [regions, phrases]
    linked_phrases = []
    for place, phrase in enumerate(phrases):
        verdict = caption.verdict(phrase)
        linked_phrases.append(
            Phrase(
                phrase.text,
                phrase.span,
                support=float(matrix[:, place].max()),
                region=int(links[:, place].argmax()) if named[:, place].any() else None,
                mark=verdict.mark,
                things=caption.things(phrase),
                kind=phrase.claim,
                shown=verdict.part or phrase.shown,
                reason=verdict.reason,
                regions=tuple(np.flatnonzero(named[:, place]).tolist()),
                denied=phrase.denied,
                compared=compared is None or place < compared,
            )
        )
    linked_regions = []
    for place, region in enumerate(regions):
        support = float(matrix[place, :compared].max())
        best = int(links[place].argmax()) if named[place].any() else None
        is_mentioned = bool(mentioned) if region.is_full else place in mentioned
        linked_regions.append(as_region(region, support, best, is_mentioned, caption.reason_of(place)))
    return Explanation(phrases=tuple(linked_phrases), regions=tuple(linked_regions))


def linked(matrix: Matrix, regions: Sequence[ImageRegion], phrases: Sequence[CaptionPhrase], cut: float) -> Explanation:
    """Return every phrase with its most similar region, and every region with its most similar phrase.

    If several are equally similar, the first is used. If the similarity is at least `cut`, the phrase is "correct" and
    the region is mentioned (section 4.5). A denied phrase is not judged, because similarity cannot judge a denial.
    """
    supports, recalls = matrix.max(axis=0).tolist(), matrix.max(axis=1).tolist()
    linked_phrases = []
    for phrase, support, region in zip(phrases, supports, matrix.argmax(axis=0).tolist(), strict=True):
        mark: Mark = "not judged" if phrase.kind == "denied" else "correct" if support >= cut else "incorrect"
        linked_phrases.append(
            Phrase(
                phrase.text, phrase.span, support, region, mark,
                kind=phrase.claim, shown=phrase.shown, denied=phrase.denied,
            )
        )  # fmt: skip
    places = zip(regions, recalls, matrix.argmax(axis=1).tolist(), strict=True)
    return Explanation(
        phrases=tuple(linked_phrases),
        regions=tuple(as_region(region, recall, phrase, recall >= cut) for region, recall, phrase in places),
    )


def as_region(region: ImageRegion, support: float, phrase: int | None, mentioned: bool, reason: str = "") -> Region:
    return Region(region.rle, region.size, region.label, region.is_full, support, phrase, mentioned, reason)
