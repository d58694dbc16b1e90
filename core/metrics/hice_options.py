"""Components of HICE-S, and the choices that its paper leaves open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.captions.phrases import CaptionPhrase
from core.errors import BadSetting
from core.regions import masks
from core.regions.protocols import Features, RegionEncoder
from core.types import ImageRegion

CUT = 0.5  # threshold at which a phrase is correct or a region is mentioned (HICE section 4.5)


@dataclass(frozen=True, slots=True)
class HiceSettings:
    """Choices that HICE-S's paper leaves open and that change the score.

    The defaults are the most plausible interpretations of the paper.
    """

    weight: float | None = None  # factor w of image-text cosines, > 0; None: the encoder's default
    cut: float = CUT  # least rescaled cosine (0 to w) for the marks "correct" and "mentioned"; does not change scores
    lone_entities: bool = False  # True: entities are compared even if the caption has triplets
    pool_references: bool = True  # True: use the phrases of all references together; False: only the best reference's
    prefix: str = ""  # prefix of every text, such as "A photo depicts " in CLIPScore
    min_area: float = 0.0  # smallest share of the picture that a region must cover to be kept, [0, 1)

    @classmethod
    def read(cls, options: Mapping[str, str]) -> "HiceSettings":
        """Read the options w, cut, entities, references, prefix and min_area from text.

        The fields of this class have the same names. Other options are ignored. Raises BadSetting.
        """
        weight = options.get("w")
        return cls(
            weight=None if weight is None else _number("w", weight, 0.001, 100.0),
            cut=_number("cut", options.get("cut", str(CUT)), 0.0, 100.0),
            lone_entities=_choice("entities", options.get("entities", "needed"), ("needed", "always")) == "always",
            pool_references=_choice("references", options.get("references", "pooled"), ("pooled", "best")) == "pooled",
            prefix=options.get("prefix", ""),
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
            "entities": "always" if self.lone_entities else "needed",
            "gttc": "max",
            "lttc": "pooled" if self.pool_references else "best",
            "prefix": self.prefix or "none",
            "min_area": self.min_area,
        }

    def chosen(self, phrases: Sequence[CaptionPhrase], caption: str) -> tuple[CaptionPhrase, ...]:
        """Return the phrases to compare, without repeats.

        The result is the triplets (relations and attributes). If there are no triplets, it is the things (entities). If
        there are no things either, it is the whole caption.
        """
        first = {phrase.text.lower(): phrase for phrase in reversed(phrases)}
        unique = [phrase for phrase in phrases if first[phrase.text.lower()] is phrase]
        triplets = [phrase for phrase in unique if self.lone_entities or phrase.is_triplet]
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

    def reference_phrases(
        self, references: Sequence[str], found: Sequence[Sequence[CaptionPhrase]]
    ) -> list[tuple[str, ...]]:
        """Return the texts of the references' phrases, without repeats.

        The option `references` decides whether there is one list for all references, or one list for each reference.
        """
        pairs = zip(references, found, strict=True)
        sets = [tuple(phrase.text for phrase in self.chosen(phrases, text)) for text, phrases in pairs]
        pooled = {text.lower(): text for texts in reversed(sets) for text in reversed(texts)}
        return [tuple(reversed(pooled.values()))] if self.pool_references else sets

    def encode(self, encoder: RegionEncoder, texts: Sequence[str]) -> Features:
        """Return unit features of the texts, with the prefix before each text."""
        return encoder.encode_texts([self.prefix + text for text in texts])

    def tokens_read(self, encoder: RegionEncoder, text: str) -> tuple[int, int]:
        """Return how many tokens the encoder reads, and how many there are.

        Both numbers are for the text with the prefix before it.
        """
        return encoder.tokens_read(self.prefix + text)

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


def _choice(name: str, text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise BadSetting(f"{name}: expected {' or '.join(known)}, found {text!r}")
    return text
