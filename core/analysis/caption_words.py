"""Find words and kinds of phrases (colours, hedges …) in captions. Slices (saved filters) and categories use them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from core.analysis.score_table import Mask
from core.arrays import Floats
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
_LETTER = r"\p{L}\p{N}_"


def check_words(words: str) -> tuple[str, ...]:
    """Return the words or phrases of a comma-separated text, in lower case. Raises BadSetting for none or too many."""
    chosen = tuple(" ".join(one.lower().split()) for one in words.split(",") if one.strip())
    if not chosen or len(words) > LONGEST_WORDS:
        raise BadSetting(
            f"The word list must be words separated by commas, with at most {LONGEST_WORDS} characters. Found: "
            f"{words!r:.60}"
        )
    return chosen


def lengths(captions: Iterable[str]) -> Floats:
    """Return the number of words of each caption, separated by spaces."""
    return np.array([len(caption.split()) for caption in captions], dtype=float)


def have(captions: Any, kind: str) -> Mask:
    """Return which captions contain a word or phrase of one kind, a key of PHRASE_KINDS, (captions,)."""
    return _with(captions, PHRASE_KINDS[kind])


def say(captions: Any, words: str) -> Mask:
    """Return which captions contain at least one of some words or phrases, separated by commas. Raises BadSetting."""
    return _with(captions, "|".join(r"[^\S\n]+".join(map(re.escape, one.split())) for one in check_words(words)))


def _with(captions: Any, pattern: str) -> Mask:
    """Return which captions contain a pattern as whole words. Case is ignored."""
    import pyarrow as pa  # imported late, because only slices and categories need it
    from pyarrow import compute

    whole = f"(?i)(?:^|[^{_LETTER}])(?:{pattern})(?:$|[^{_LETTER}])"
    found = compute.match_substring_regex(pa.array(captions, pa.large_string()), whole)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)
