"""HICE-S and RefHICE-S: how well a picture's regions and a caption's phrases match.

Zeng et al., "HICEScore: A Hierarchical Metric for Image Captioning Evaluation", ACM Multimedia 2024, section 3. There
is no published code. HiceSettings makes the choices that the paper leaves open, and the signature names them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from core.captions.labelled_caption import LabelledCaption
from core.captions.labelled_scene import LabelledScene
from core.captions.language import may_be_english
from core.captions.phrases import CaptionPhrase
from core.costs import timed
from core.datasets.benchmark import Published
from core.errors import BadImage, BadMask, BadSetting, NotFound, error_kind
from core.long_work.progress import report
from core.metrics.truncation import MEANINGS as OF_TRUNCATION
from core.metrics.truncation import truncation
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import HICE_ALL
from core.models.device import TokensRead, least_read
from core.models.hice import HiceParts
from core.regions import masks
from core.regions.protocols import Features
from core.signature import signature
from core.types import EvaluationError, Explanation, ImageRef, ImageRegion, Mark, Outcome, Phrase, Region, Sample, Score

CUT = 0.5  # threshold at which a phrase is correct or a region is mentioned (section 4.5)
ALIKE = 0.7  # minimum cosine of all-MiniLM-L6-v2 at which an unknown noun and a label mean the same
NOT_ENGLISH = "not_english"  # component of a score whose caption was not read because it does not look English
NOT_COMPARED = "Not compared: the caption does not look English."
Matrix = npt.NDArray[np.float64]  # similarities ≥ 0: [regions, phrases] or [reference phrases, phrases]

MEANINGS: Mapping[str, str] = {  # meanings of a score's components, in plain words
    "gITC": "Global image–text consistency: how well the caption as a whole fits the picture as a whole.",
    "lITC": (
        "Local image–text consistency: how well the caption’s phrases and the picture’s regions match. "
        "It is the harmonic mean of precision and recall, so it is low if one of them is low."
    ),
    "precision": (
        "The mean of the phrases’ precisions. A phrase’s precision is its similarity to the region that fits it "
        "best. The value is not a share of phrases, so it can be above 1. It falls if the caption invents something."
    ),
    "recall": (
        "The mean of the regions’ recalls, with the whole picture. A region’s recall is its similarity to the phrase "
        "that fits it best. The value is not a share of regions, so it can be above 1. It falls if the caption "
        "omits something."
    ),
    "gTTC": "Global text–text consistency: similarity of the whole caption to the most similar reference.",
    "lTTC": (
        "Local text–text consistency: similarity of the caption’s phrases to those of the references. It is the "
        "harmonic mean of precision and recall against the references."
    ),
    "reference_precision": (
        "How well the caption’s phrases match the references: each phrase’s similarity to the best reference "
        "phrase, averaged."
    ),
    "reference_recall": (
        "How well the references’ phrases match the caption: each reference phrase’s similarity to the "
        "caption’s best phrase, averaged."
    ),
    "phrase_fallback": (
        "1 if the caption has no attributes and no relations. Then single nouns, or the whole caption, are used as "
        "phrases."
    ),
    NOT_ENGLISH: (
        "1 if the caption does not look English. Then the caption is not split into phrases, and only the whole "
        "caption is compared."
    ),
    **OF_TRUNCATION,
}

Consistency = dict[str, float]  # keys: gITC, lITC, precision, recall; with references also gTTC, lTTC, lTTC's two parts


@dataclass(frozen=True, slots=True)
class HiceSettings:
    """Choices that HICE-S's paper leaves open and that change the score.

    The defaults are the most plausible interpretations of the paper.
    """

    weight: float | None = None  # factor w of image-text cosines, > 0; None: the encoder's default
    cut: float = CUT  # least rescaled cosine (0 to w) for the marks "correct" and "mentioned"; does not change scores
    min_area: float = 0.0  # smallest share of the picture that a region must cover to be kept, [0, 1)

    @classmethod
    def read(cls, options: Mapping[str, str]) -> "HiceSettings":
        """Read the options w, cut and min_area. Other options are ignored. Raises BadSetting."""
        weight = options.get("w")
        return cls(
            weight=None if weight is None else _number("w", weight, 0.001, 100.0),
            cut=_number("cut", options.get("cut", str(CUT)), 0.0, 100.0),
            min_area=_number("min_area", options.get("min_area", "0"), 0.0, 0.999),
        )

    def named(self, encoder_weight: float) -> dict[str, str | float | None]:
        """Return the choices by name, as they appear in the signature."""
        return {
            "w": self.weight or encoder_weight,
            "cut": self.cut,
            "negatives": "clipped",
            "full": "in-set",
            "fallback": "entities,caption",
            "entities": "needed",
            "gttc": "max",
            "lttc": "pooled",
            "prefix": "none",
            "min_area": self.min_area,
        }

    def chosen(self, phrases: Sequence[CaptionPhrase], caption: str) -> tuple[CaptionPhrase, ...]:
        """Return the phrases to compare, without repeats.

        The result is the triplets (relations and attributes). If there are no triplets, it is the things (entities). If
        there are no things either, it is the whole caption.
        """
        first = {phrase.text.lower(): phrase for phrase in reversed(phrases)}
        unique = [phrase for phrase in phrases if first[phrase.text.lower()] is phrase]
        triplets = [phrase for phrase in unique if phrase.is_triplet]
        return tuple(triplets or unique or [CaptionPhrase(caption, (0, len(caption)), "caption")])

    def uncompared(
        self, phrases: Sequence[CaptionPhrase], chosen: Sequence[CaptionPhrase]
    ) -> tuple[CaptionPhrase, ...]:
        """Return the things (entities) in the caption that the score does not compare.

        If a caption has triplets (relations or attributes), the score compares only the triplets. So it ignores things
        that are in no triplet, such as the umbrella in "no umbrella".
        """
        texts = {phrase.text.lower() for phrase in chosen}
        return tuple({phrase.text.lower(): phrase for phrase in phrases if phrase.text.lower() not in texts}.values())

    def reference_phrases(self, references: Sequence[str], found: Sequence[Sequence[CaptionPhrase]]) -> tuple[str, ...]:
        """Return the texts of the phrases of all references together, without repeats."""
        pairs = zip(references, found, strict=True)
        texts = [phrase.text for text, phrases in pairs for phrase in self.chosen(phrases, text)]
        return tuple({text.lower(): text for text in reversed(texts)}.values())[::-1]

    def kept(self, regions: Sequence[ImageRegion]) -> tuple[ImageRegion, ...]:
        """Return the regions that are large enough and not empty.

        The region of the whole picture is always included, if there is one.
        """
        return tuple(region for region in regions if region.is_full or self._large_enough(region))

    def _large_enough(self, region: ImageRegion) -> bool:
        pixels = region.size[0] * region.size[1]
        return masks.area(region.rle, region.size) >= max(1.0, self.min_area * pixels)


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise BadSetting(f"{name} must be a number from {low} to {high}, found {text!r}")
    return value


def similarity(rows: Features, columns: Features, weight: float = 1.0) -> Matrix:
    """Return the similarity of every row with every column.

    The similarity is weight · max(cos, 0). rows, columns: unit vectors (features). The result has the shape [len(rows),
    len(columns)]. Pictures are compared with CLIPScore's weight, because the HICE-S paper states none. Equal features
    get exactly equal similarities, although a matrix product may differ in its last digit.
    """
    matrix: Matrix = weight * np.clip(np.einsum("id,jd->ij", rows, columns), 0.0, 1.0)
    return matrix


def harmonic_mean(*values: float) -> float:
    """Return n / Σ 1/x, or 0 if any value is 0."""
    return len(values) / sum(1 / value for value in values) if min(values) > 0 else 0.0


def local_consistency(matrix: Matrix) -> tuple[float, float]:
    """Return precision and recall by equations 3 and 4.

    matrix: similarities of regions (rows) with phrases (columns). Precision is the mean of the columns' maxima, recall
    the mean of the rows' maxima.
    """
    return float(matrix.max(axis=0).mean()), float(matrix.max(axis=1).mean())


def image_consistency(matrix: Matrix, whole: Features, caption: Features, weight: float) -> Consistency:
    """Return how consistent caption and image are, as a whole and in detail (section 3.2).

    matrix: similarities of regions with phrases. whole, caption: features [1, D] of the whole picture and of the
    caption.
    """
    precision, recall = local_consistency(matrix)
    return {
        "gITC": float(similarity(whole, caption, weight).max()),
        "lITC": harmonic_mean(precision, recall),
        "precision": precision,
        "recall": recall,
    }


def text_consistency(
    references: Features, reference_phrases: Features, caption: Features, phrases: Features
) -> Consistency:
    """Return how consistent caption and references are (section 3.3).

    gTTC compares the caption with the most similar reference. lTTC compares the caption's phrases with the phrases of
    all references.
    """
    precision, recall = local_consistency(similarity(reference_phrases, phrases))
    return {
        "gTTC": float(similarity(references, caption).max()),
        "lTTC": harmonic_mean(precision, recall),
        "reference_precision": precision,
        "reference_recall": recall,
    }


def value(consistency: Consistency) -> float:
    """Return the score: the harmonic mean of the caption's consistency values.

    HICE = hMean(gITC, lITC), RefHICE = hMean(gITC, lITC, gTTC, lTTC). gITC and lITC compare the caption with the
    picture, as a whole and in detail. gTTC and lTTC compare it with the references in the same two ways.
    """
    return harmonic_mean(*(consistency[name] for name in ("gITC", "lITC", "gTTC", "lTTC") if name in consistency))


def judged(
    sample: Sample,
    references: Sequence[str],
    found: Sequence[Sequence[CaptionPhrase]],
    parts: HiceParts,
    settings: HiceSettings,
) -> tuple[Consistency, Explanation]:
    """Return how consistent a caption is with its picture and references, and the explanation.

    found: the caption's phrases, then the phrases of each reference. Raises BadImage, BadMask, NotFound.
    """
    weight = settings.weight or parts.encoder.weight
    phrases = settings.chosen(found[0], sample.candidate)
    regions = settings.kept(parts.regions.regions(sample.image))
    scene = labelled_scene(sample.image, regions, parts)
    said = LabelledCaption(scene, found[0], sample.candidate) if scene else None
    read = (*phrases, *settings.uncompared(found[0], phrases)) if said else phrases
    own, *others = said.regions.in_words() if said else (regions,)
    rows = parts.encoder.encode_regions(sample.image, own)
    whole = rows[-1:]  # the last row: features of the whole picture
    seen = [rows[:-1], *(parts.encoder.encode_regions(sample.image, wording[:-1]) for wording in others)]
    report("Reading phrases", 0, 1)
    caption_features = parts.encoder.encode_texts([sample.candidate, *(phrase.text for phrase in read)])
    report("Reading phrases", 1, 1)
    matrix: Matrix = np.max(
        [similarity(np.vstack([rows, whole]), caption_features[1:], weight) for rows in seen], axis=0
    )
    compared = matrix[:, : len(phrases)]
    consistency = image_consistency(compared, whole, caption_features[:1], weight)
    consistency["phrase_fallback"] = float(not phrases[0].is_triplet)
    if references:
        reference_features = parts.encoder.encode_texts(references)
        pooled = parts.encoder.encode_texts(settings.reference_phrases(references, found[1:]))
        consistency |= text_consistency(
            reference_features, pooled, caption_features[:1], caption_features[1 : len(phrases) + 1]
        )
    if not may_be_english(sample.candidate):
        consistency[NOT_ENGLISH] = 1.0
        explanation = not_linked(compared, regions)
    elif said:
        explanation = linked_by_labels(matrix, regions, read, said, len(phrases))
    else:
        explanation = linked(matrix, regions, phrases, settings.cut)
    return consistency, replace(explanation, cut=settings.cut, encoder=parts.encoder.name)


def labelled_scene(image: ImageRef, regions: Sequence[ImageRegion], parts: HiceParts) -> LabelledScene | None:
    """Return the labels of the regions for comparison with the caption.

    Returns None if the metric compares pictures by an encoder instead of labels.
    """
    if parts.labels is None:
        return None

    def alike(noun: str, label: str) -> bool:
        one, other = parts.encoder.encode_texts([noun, label])
        return float(one @ other) >= ALIKE

    label_phrases = parts.labels.said(tuple(dict.fromkeys(region.label for region in regions if region.label)))
    return LabelledScene(regions, parts.labels.vocabulary(image), parts.labels.nouns, alike, label_phrases)


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
                compared is None or place < compared,
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


class HICE:
    """HICE-S: compares caption and picture as a whole and in detail.

    gITC compares the whole caption with the whole picture. lITC compares the caption's phrases with the picture's
    regions.
    """

    name: ClassVar[str] = "HICE-S"
    paper: ClassVar[str] = "https://arxiv.org/abs/2407.18589"
    scale: ClassVar[tuple[float, float]] = (0.0, 2.5)  # for CLIP; a score by another encoder states its own scale
    requires_references: ClassVar[bool] = False
    needs_image: ClassVar[bool] = True
    shows_regions: ClassVar[bool] = True
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = HICE_ALL
    meanings: ClassVar[Mapping[str, str]] = MEANINGS
    published: ClassVar[tuple[Published, ...]] = ()

    def __init__(self, parts: HiceParts, settings: HiceSettings | None = None, batch_size: int = 8) -> None:
        self._parts, self._settings, self._batch_size = parts, settings or HiceSettings(), batch_size

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Load the metric's models and return it. Raises ModelUnavailable, BadSetting."""
        from core.models.hice import load_parts

        choices = HiceSettings.read(settings.options)
        report("Loading models", 0, 1)
        parts = load_parts(settings)
        report("Loading models", 1, 1)
        return cls(parts, choices, settings.batch_size)

    def signature(self) -> str:
        """Return the signature: the three models and every choice that the paper leaves open."""
        return signature(self.name, **self._parts.named(), **self._settings.named(self._parts.encoder.weight))

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order.

        Phrases are extracted from batch_size captions at a time.
        """
        for start in range(0, len(samples), self._batch_size):
            batch = samples[start : start + self._batch_size]
            report("Taking captions apart", 0, 1)
            with timed("phrases"):
                found = iter(self._parts.phrases.phrases([text for sample in batch for text in self._texts(sample)]))
            report("Taking captions apart", 1, 1)
            yield from (self._outcome(sample, [next(found) for _ in self._texts(sample)]) for sample in batch)

    def _texts(self, sample: Sample) -> tuple[str, ...]:
        return (sample.candidate, *(sample.references if self.requires_references else ()))

    def _outcome(self, sample: Sample, found: Sequence[Sequence[CaptionPhrase]]) -> Outcome:
        texts, mark = self._texts(sample), self.signature()
        try:
            consistency, explanation = judged(sample, texts[1:], found, self._parts, self._settings)
            read = [self._read(text) for text in texts]
        except (BadImage, BadMask, NotFound) as error:
            return EvaluationError(self.name, mark, error_kind(error), str(error))
        components = {**consistency, **truncation(read[0], read[1:])}
        return Score(self.name, value(consistency), mark, self._range(), components, explanation)

    def _read(self, text: str) -> TokensRead:
        of_encoder = self._parts.encoder.tokens_read(text)
        return least_read(of_encoder, self._parts.phrases.tokens_read(text))

    def _range(self) -> tuple[float, float]:
        weight = self._settings.weight or self._parts.encoder.weight
        return 0.0, harmonic_mean(weight, weight, *((1.0, 1.0) if self.requires_references else ()))


class RefHICE(HICE):
    """RefHICE-S: HICE-S combined with similarity to the references.

    gTTC compares the whole caption with whole references. lTTC compares their phrases.
    """

    name = "RefHICE-S"
    scale = (0.0, harmonic_mean(2.5, 2.5, 1.0, 1.0))
    requires_references = True
