"""What HICE-S is put together from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.captions.nouns import NounTable
from core.captions.phrases import CaptionPhrase, PhraseExtractor
from core.regions.protocols import RegionEncoder, RegionFinder
from core.types import ImageRef

OF_SAMPLE = "sample"  # the option regions: those that a picture brings along, as its data set keeps them


@dataclass(frozen=True, slots=True)
class LabelWords:
    """What is known of labels: words for them, what they say, and what an annotated picture was searched for."""

    nouns: NounTable
    vocabulary: Callable[[ImageRef], tuple[str, ...]]  # the labels that were looked for; () where that is not known
    said: Callable[[Sequence[str]], Mapping[str, Sequence[CaptionPhrase]]]  # what labels of several words say


@dataclass(frozen=True, slots=True)
class HiceParts:
    """The three models of HICE, and the words for labels where regions are judged by those."""

    phrases: PhraseExtractor
    regions: RegionFinder
    encoder: RegionEncoder
    labels: LabelWords | None = None  # None: the encoder sees the picture itself

    def named(self) -> dict[str, str]:
        """Return the names that go into the signature."""
        words = {"nouns": self.labels.nouns.name} if self.labels else {}
        return {"phrases": self.phrases.name, "regions": self.regions.name, "encoder": self.encoder.name, **words}
