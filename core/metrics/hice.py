"""HICE-S and RefHICE-S: how well a picture's regions and a caption's phrases match.

Zeng et al., "HICEScore: A Hierarchical Metric for Image Captioning Evaluation", ACM Multimedia 2024, section 3. There
is no published code. The options and `signature` name the choices that the paper leaves open.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np

from core.captions.english import may_be_english
from core.captions.judging.caption import LabelledCaption
from core.captions.judging.scene import LabelledScene
from core.captions.reading.lexicon import lexicon
from core.captions.reading.phrases import CaptionPhrase
from core.costs import timed
from core.errors import BadImage, BadMask, BadSetting, NotFound, error_kind
from core.long_work.progress import report
from core.metrics.base import Metric
from core.metrics.hice_links import NOT_COMPARED, Matrix, as_region, linked, linked_by_labels
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import HICE_ALL
from core.models.hice import HiceParts
from core.regions import masks
from core.regions.protocols import Features
from core.signature import signature
from core.types import EvaluationError, Explanation, ImageRef, ImageRegion, Outcome, Sample, Score

CUT = 0.5  # threshold at which a phrase is correct or a region is mentioned (section 4.5)
ALIKE = 0.7  # minimum cosine of all-MiniLM-L6-v2 at which an unknown noun and a label mean the same
NOT_ENGLISH = "not_english"  # component of a score whose caption was not read because it does not look English

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
}

Consistency = dict[str, float]  # keys: gITC, lITC, precision, recall; with references also gTTC, lTTC, lTTC's two parts
NO_OPTIONS: Mapping[str, str] = {}


def choices(options: Mapping[str, str]) -> tuple[float | None, float, float]:
    """Read the options w, cut and min_area. Other options are ignored. Raises BadSetting.

    w: the factor of image-text cosines; None: the encoder's. cut: the least rescaled cosine for the marks "correct" and
    "mentioned", which does not change scores. min_area: smallest share of the picture that a region must cover.
    """

    def number(name: str, usual: float, low: float, high: float) -> float:
        try:
            value = float(options.get(name, usual))
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise BadSetting(f"{name} must be a number from {low} to {high}, found {options[name]!r}")
        return value

    weight = number("w", 1.0, 0.001, 100.0) if "w" in options else None
    return weight, number("cut", CUT, 0.0, 100.0), number("min_area", 0.0, 0.0, 0.999)


# -- phrases of the caption and regions of the picture --


def compared_phrases(phrases: Sequence[CaptionPhrase], caption: str) -> tuple[CaptionPhrase, ...]:
    """Return the phrases to compare, without repeats.

    The result is the triplets (relations and attributes). If there are no triplets, it is the things (entities). If
    there are no things either, it is the whole caption.
    """
    first: dict[str, CaptionPhrase] = {}
    for phrase in phrases:
        first.setdefault(phrase.text.lower(), phrase)
    unique = tuple(first.values())
    triplets = tuple(phrase for phrase in unique if phrase.is_triplet)
    return triplets or unique or (CaptionPhrase(caption, (0, len(caption)), "caption"),)


def other_phrases(phrases: Sequence[CaptionPhrase], compared: Sequence[CaptionPhrase]) -> tuple[CaptionPhrase, ...]:
    """Return the things (entities) in the caption that the score does not compare, such as those in no triplet."""
    texts = {phrase.text.lower() for phrase in compared}
    return tuple({phrase.text.lower(): phrase for phrase in phrases if phrase.text.lower() not in texts}.values())


def pooled_phrases(references: Sequence[str], found: Sequence[Sequence[CaptionPhrase]]) -> tuple[str, ...]:
    """Return the texts of the phrases of all references together, without repeats."""
    pairs = zip(references, found, strict=True)
    texts = [phrase.text for text, phrases in pairs for phrase in compared_phrases(phrases, text)]
    return tuple({text.lower(): text for text in reversed(texts)}.values())[::-1]


def large_regions(regions: Sequence[ImageRegion], min_area: float) -> tuple[ImageRegion, ...]:
    """Return the regions that are large enough and not empty, and the whole picture."""
    return tuple(
        region
        for region in regions
        if region.is_full or masks.area(region.rle, region.size) >= max(1.0, min_area * region.size[0] * region.size[1])
    )


def labelled_scene(image: ImageRef, regions: Sequence[ImageRegion], parts: HiceParts) -> LabelledScene | None:
    """Return the labels of the regions; None if the encoder reads the picture instead of labels."""
    if parts.labels is None:
        return None

    def alike(noun: str, label: str) -> bool:
        one, other = parts.encoder.encode_texts([noun, label])
        return float(one @ other) >= ALIKE

    label_phrases = parts.labels.said(tuple(dict.fromkeys(region.label for region in regions if region.label)))
    return LabelledScene(regions, parts.labels.vocabulary(image), lexicon(), alike, label_phrases)


# -- sections 3.2 and 3.3: consistency --


def similarity(rows: Features, columns: Features, weight: float = 1.0) -> Matrix:
    """Return the similarity of every row with every column.

    The similarity is weight · max(cos, 0). rows, columns: unit vectors (features). The result has the shape [len(rows),
    len(columns)]. weight: the encoder's; 2.5 for CLIP as in CLIPScore, because the HICE-S paper states none. Equal
    features get exactly equal similarities, although a matrix product may differ in its last digit.
    """
    matrix: Matrix = weight * np.clip(np.einsum("id,jd->ij", rows, columns), 0.0, 1.0)
    return matrix


def harmonic_mean(*values: float) -> float:
    """Return n / Σ 1/x, or 0 if any value is 0."""
    return len(values) / sum(1 / value for value in values) if min(values) > 0 else 0.0


def local_consistency(matrix: Matrix) -> tuple[float, float]:
    """Return precision and recall.

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


# -- the metric --


class HICE(Metric):
    """HICE-S: compares caption and picture as a whole and in detail.

    gITC compares the whole caption with the whole picture. lITC compares the caption's phrases with the picture's
    regions.
    """

    name: ClassVar[str] = "HICE-S"
    paper: ClassVar[str] = "https://arxiv.org/abs/2407.18589"
    scale: ClassVar[tuple[float, float]] = (0.0, 2.5)  # for CLIP; a score by another encoder states its own scale
    shows_regions: ClassVar[bool] = True
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = HICE_ALL
    meanings: ClassVar[Mapping[str, str]] = MEANINGS

    def __init__(self, parts: HiceParts, options: Mapping[str, str] = NO_OPTIONS) -> None:
        """Take the models. options: w, cut and min_area. Raises BadSetting."""
        weight, self._cut, self._min_area = choices(options)
        self._parts, self._weight = parts, weight or parts.encoder.weight

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Load the metric's models and return it. Raises ModelUnavailable, BadSetting."""
        from core.models.hice import load_parts

        choices(settings.options)
        report("Loading models", 0, 1)
        parts = load_parts(settings)
        report("Loading models", 1, 1)
        return cls(parts, settings.options)

    def signature(self) -> str:
        """Return the signature: the three models and every choice that the paper leaves open."""
        return signature(
            self.name,
            **self._parts.named(),
            w=self._weight,
            cut=self._cut,
            negatives="clipped",
            full="in-set",
            fallback="entities,caption",
            entities="needed",
            gttc="max",
            lttc="pooled",
            prefix="none",
            min_area=self._min_area,
        )

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order. Phrases are extracted from all captions together."""
        report("Taking captions apart", 0, 1)
        with timed("phrases"):
            found = iter(self._parts.phrases.phrases([text for sample in samples for text in self._texts(sample)]))
        report("Taking captions apart", 1, 1)
        yield from (self._outcome(sample, [next(found) for _ in self._texts(sample)]) for sample in samples)

    def _texts(self, sample: Sample) -> tuple[str, ...]:
        return (sample.candidate, *(sample.references if self.requires_references else ()))

    def _outcome(self, sample: Sample, found: Sequence[Sequence[CaptionPhrase]]) -> Outcome:
        try:
            consistency, explanation = self._compared(sample, self._texts(sample)[1:], found)
        except (BadImage, BadMask, NotFound) as error:
            return EvaluationError(self.name, self.signature(), error_kind(error), str(error))
        scale = 0.0, harmonic_mean(self._weight, self._weight, *((1.0, 1.0) if self.requires_references else ()))
        return Score(self.name, value(consistency), self.signature(), scale, consistency, explanation)

    def _compared(
        self, sample: Sample, references: Sequence[str], found: Sequence[Sequence[CaptionPhrase]]
    ) -> tuple[Consistency, Explanation]:
        """Return how consistent a caption is with its picture and references, and the explanation.

        found: the caption's phrases, then the phrases of each reference. Raises BadImage, BadMask, NotFound.
        """
        encoder = self._parts.encoder
        phrases = compared_phrases(found[0], sample.candidate)
        regions = large_regions(self._parts.regions.regions(sample.image), self._min_area)
        scene = labelled_scene(sample.image, regions, self._parts)
        said = LabelledCaption(scene, found[0], sample.candidate) if scene else None
        read = (*phrases, *other_phrases(found[0], phrases)) if said else phrases
        own, *others = said.in_words() if said else (regions,)
        rows = encoder.encode_regions(sample.image, own)
        whole = rows[-1:]  # the last row: features of the whole picture
        seen = [rows[:-1], *(encoder.encode_regions(sample.image, wording[:-1]) for wording in others)]
        report("Reading phrases", 0, 1)
        texts = encoder.encode_texts([sample.candidate, *(phrase.text for phrase in read)])
        report("Reading phrases", 1, 1)
        caption = texts[:1]
        matrix: Matrix = np.max(
            [similarity(np.vstack([rows, whole]), texts[1:], self._weight) for rows in seen], axis=0
        )
        compared = matrix[:, : len(phrases)]
        consistency = image_consistency(compared, whole, caption, self._weight)
        consistency["phrase_fallback"] = float(not phrases[0].is_triplet)
        if references:
            pooled = encoder.encode_texts(pooled_phrases(references, found[1:]))
            wholes = encoder.encode_texts(references)
            consistency |= text_consistency(wholes, pooled, caption, texts[1 : len(phrases) + 1])
        if not may_be_english(sample.candidate):
            consistency[NOT_ENGLISH] = 1.0
            recalls = zip(regions, compared.max(axis=1).tolist(), strict=True)
            whole_caption = (as_region(region, recall, None, False, NOT_COMPARED) for region, recall in recalls)
            explanation = Explanation(regions=tuple(whole_caption))
        elif said:
            explanation = linked_by_labels(matrix, regions, read, said, len(phrases))
        else:
            explanation = linked(matrix, regions, phrases, self._cut)
        return consistency, replace(explanation, cut=self._cut, encoder=encoder.name)


class RefHICE(HICE):
    """RefHICE-S: HICE-S combined with similarity to the references.

    gTTC compares the whole caption with whole references. lTTC compares their phrases.
    """

    name = "RefHICE-S"
    scale = (0.0, harmonic_mean(2.5, 2.5, 1.0, 1.0))
    requires_references = True
