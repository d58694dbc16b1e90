"""Types for the three models that HICE-S combines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.captions.nouns import NounTable
from core.captions.phrases import CaptionPhrase, PhraseExtractor
from core.regions.protocols import RegionEncoder, RegionFinder
from core.types import ImageRef

OF_SAMPLE = "sample"  # value of the option "regions": use the regions that the data set stores with each picture


@dataclass(frozen=True, slots=True)
class LabelWords:
    """Data about the labels of regions: noun table, vocabularies and the labels' phrases.

    A picture's vocabulary contains the labels that its annotators searched for.
    """

    nouns: NounTable
    vocabulary: Callable[[ImageRef], tuple[str, ...]]  # labels that a picture's annotators searched for; () if unknown
    said: Callable[[Sequence[str]], Mapping[str, Sequence[CaptionPhrase]]]  # key: label of several words; value: facts


@dataclass(frozen=True, slots=True)
class HiceParts:
    """The three models of HICE-S, and data about labels if the encoder compares labels."""

    phrases: PhraseExtractor
    regions: RegionFinder
    encoder: RegionEncoder
    labels: LabelWords | None = None  # None: the encoder reads the picture, so it needs no labels

    def named(self) -> dict[str, str]:
        """Return the three models' names for the signature."""
        words = {"nouns": self.labels.nouns.name} if self.labels else {}
        return {"phrases": self.phrases.name, "regions": self.regions.name, "encoder": self.encoder.name, **words}
