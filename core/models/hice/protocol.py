"""What HICE-S is put together from."""

from dataclasses import dataclass

from core.captions.phrases import PhraseExtractor
from core.regions.protocols import RegionEncoder, RegionFinder

OF_SAMPLE = "sample"  # the option regions: those that a picture brings along, as its data set keeps them


@dataclass(frozen=True, slots=True)
class HiceParts:
    """The three models of HICE."""

    phrases: PhraseExtractor
    regions: RegionFinder
    encoder: RegionEncoder

    def named(self) -> dict[str, str]:
        """Return the names that go into the signature."""
        return {"phrases": self.phrases.name, "regions": self.regions.name, "encoder": self.encoder.name}
