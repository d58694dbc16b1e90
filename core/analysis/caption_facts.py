"""What slices ask of captions: their length and the kinds of phrase they hold, for a whole data set at once."""

import re
from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints, Texts
from core.errors import BadSetting

LONGEST_WORDS = 500  # characters
PHRASE_KINDS: Mapping[str, str] = {  # kind -> words, any of which a caption must hold
    "number": "one|two|three|four|five|six|seven|eight|nine|ten|several|many|both|pair|group|crowd|[0-9]+",
    "colour": "red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|tan|golden|colou?rful",
    "person": "person|people|man|men|woman|women|boy|boys|girl|girls|child|children|kid|kids|lady|guy|baby|player",
    "place": "in front of|next to|behind|above|below|under|beside|between|near|on top of|inside|outside|across",
    "negation": "no|not|without|never|nobody|nothing|none",
    "hedge": "maybe|perhaps|possibly|probably|appears?|seems?|looks? like|might|some kind of",
}


def check_words(words: str) -> tuple[str, ...]:
    """Return words or phrases parted by commas, in small letters. Raises BadSetting for none, or too many."""
    found = tuple(" ".join(one.lower().split()) for one in words.split(",") if one.strip())
    if not found or len(words) > LONGEST_WORDS:
        raise BadSetting(f"expected words parted by commas, at most {LONGEST_WORDS} characters, found {words!r:.60}")
    return found


class CaptionFacts:
    """Facts of captions, one entry a caption; each is worked out at the first question and kept."""

    def __init__(self, captions: Texts) -> None:
        self._captions = captions
        self._kinds: dict[str, NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        return len(self._captions)

    @cached_property
    def words(self) -> Floats:
        """Words of each caption, as spaces part them."""
        return np.array([len(caption.split()) for caption in self._captions], dtype=float)

    def have(self, kind: str) -> NDArray[np.bool_]:
        """Return which captions hold a whole word of a kind of PHRASE_KINDS, in any case."""
        if kind not in self._kinds:
            self._kinds[kind] = self._with(PHRASE_KINDS[kind])
        return self._kinds[kind]

    def say(self, words: str) -> NDArray[np.bool_]:
        """Return which captions have any of some whole words or phrases, parted by commas, in any case.

        Raises BadSetting where there are none.
        """
        return self._with("|".join(r"[^\S\n]+".join(map(re.escape, one.split())) for one in check_words(words)))

    def _with(self, pattern: str) -> NDArray[np.bool_]:
        text, starts = self._text
        # A pattern that begins with a kind of character is searched many times quicker than one with \b there.
        hits = [hit.start() for hit in re.finditer(rf"\W(?:{pattern})(?!\w)", text)]
        found = np.zeros(len(self), dtype=bool)
        found[np.searchsorted(starts, hits, side="right") - 1] = True
        return found

    @cached_property
    def _text(self) -> tuple[str, Ints]:
        """All captions, each after a line break, and where those stand: one search is quicker than thousands."""
        lines = ["\n" + caption.lower().replace("\n", " ") for caption in self._captions]
        return "".join(lines), np.cumsum([0, *map(len, lines)][: len(lines)], dtype=np.int64)
