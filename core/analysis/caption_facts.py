"""Find the lengths of captions and the kinds of phrases in them (colours, hedges …).

The results are for a whole data set, and slices (saved filters) use them.
"""

import re
from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints, Texts
from core.errors import BadSetting

LONGEST_WORDS = 500  # characters
PHRASE_KINDS: Mapping[str, str] = {  # key: kind of phrase; value: pattern that finds such phrases in a caption
    "number": "one|two|three|four|five|six|seven|eight|nine|ten|several|many|both|pair|group|crowd|[0-9]+",
    "colour": "red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|tan|golden|colou?rful",
    "person": "person|people|man|men|woman|women|boy|boys|girl|girls|child|children|kid|kids|lady|guy|baby|player",
    "place": "in front of|next to|behind|above|below|under|beside|between|near|on top of|inside|outside|across",
    "negation": "no|not|without|never|nobody|nothing|none",
    "hedge": "maybe|perhaps|possibly|probably|appears?|seems?|looks? like|might|some kind of",
}


def check_words(words: str) -> tuple[str, ...]:
    """Return the words or phrases of a comma-separated text, in lower case.

    Raises BadSetting if the text has no words or too many characters.
    """
    chosen = tuple(" ".join(one.lower().split()) for one in words.split(",") if one.strip())
    if not chosen or len(words) > LONGEST_WORDS:
        raise BadSetting(
            f"The word list must be words separated by commas, with at most {LONGEST_WORDS} characters. Found: "
            f"{words!r:.60}"
        )
    return chosen


class CaptionFacts:
    """Lengths and words of captions, one entry per caption.

    Each array is computed at the first request and then kept.
    """

    def __init__(self, captions: Texts) -> None:
        self._captions = captions
        self._kinds: dict[str, NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        return len(self._captions)

    @cached_property
    def words(self) -> Floats:
        """Number of words of each caption, separated by spaces."""
        return np.array([len(caption.split()) for caption in self._captions], dtype=float)

    def have(self, kind: str) -> NDArray[np.bool_]:
        """Return which captions contain a word or phrase of one kind.

        The result is a boolean array with one entry per caption. kind: a key of PHRASE_KINDS. Example: "hedge" is the
        kind of "maybe" and "perhaps". Only whole words count, and case is ignored.
        """
        if kind not in self._kinds:
            self._kinds[kind] = self._with(PHRASE_KINDS[kind])
        return self._kinds[kind]

    def say(self, words: str) -> NDArray[np.bool_]:
        """Return which captions contain at least one of the given words or phrases.

        words: words or phrases separated by commas. Only whole words count, and case is ignored. Raises BadSetting if
        `words` contains no word or is too long.
        """
        return self._with("|".join(r"[^\S\n]+".join(map(re.escape, one.split())) for one in check_words(words)))

    def _with(self, pattern: str) -> NDArray[np.bool_]:
        text, starts = self._text
        # The pattern begins with \W, a class of characters. With \b instead, the search would be many times slower.
        hits = [hit.start() for hit in re.finditer(rf"\W(?:{pattern})(?!\w)", text)]
        has_kind = np.zeros(len(self), dtype=bool)
        has_kind[np.searchsorted(starts, hits, side="right") - 1] = True
        return has_kind

    @cached_property
    def _text(self) -> tuple[str, Ints]:
        """Join all captions into one text, and return it with each caption's start position in the text.

        A line break precedes each caption. One search of the long text is faster than a separate search of every
        caption.
        """
        lines = ["\n" + caption.lower().replace("\n", " ") for caption in self._captions]
        return "".join(lines), np.cumsum([0, *map(len, lines)][: len(lines)], dtype=np.int64)
