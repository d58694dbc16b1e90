"""Split captions into the tokens that BLEU, ROUGE-L and CIDEr count.

The COCO evaluation splits captions with Stanford's Penn Treebank tokenizer, in lower case, and drops punctuation. This
module follows these rules without Java: it separates contractions ("does n't", "dog 's", "can not"), keeps hyphens
inside words ("close-up") and keeps numbers whole ("1,000", "2.5").

Source: Chen et al., "Microsoft COCO Captions", 2015, https://arxiv.org/abs/1504.00325, section 3.1.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from sys import intern

# Punctuation marks in COCO's list. A text may contain brackets in the treebank's spelling, "-LRB-".
_BRACKETS = ("(", ")", "{", "}", "-lrb-", "-rrb-", "-lcb-", "-rcb-")
PUNCTUATION = frozenset(["''", "'", "``", "`", '"', *_BRACKETS, *".?!,:-;", "--", "..."])

_TOKEN = re.compile(
    r"""-[lr][rc]b-
      | (?:[a-z]\.){2,}                                        # abbreviations: "u.s."
      | (?:mr|mrs|ms|dr|st|jr|sr|vs)\.                         # titles: "mr."
      | can(?=not\b) | (?:gon|wan)(?=na\b) | got(?=ta\b) | (?:lem|gim)(?=me\b)
      | [^\W\d_]+?(?=n't\b) | n't\b | '(?:s|re|ve|ll|d|m)\b  # "do" and "n't" of "don't", "'s"
      | o'[a-z]+ | \d+(?:[.,:/]\d+)+                          # "o'clock", "1,000", "2.5", "4:30"
      | \w+(?:-\w+)*                                          # words, hyphens inside
      | \.{2,} | -{2,} | `` | '' | \S                         # any other mark alone
    """,
    re.VERBOSE,
)
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "--", "—": "--", "…": "..."})

NGram = tuple[str, ...]


@lru_cache(16_384)
def tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of a caption, in lower case and without punctuation.

    Returns () if the caption has no words.
    """
    return tuple(intern(token) for token in _TOKEN.findall(_plain(text)) if _counts(token))


def token_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the span of each token of a caption in characters, start inclusive, end exclusive."""
    owner = [place for place, character in enumerate(text) for _ in _plain(character)]  # "…" becomes three dots
    found = (match for match in _TOKEN.finditer(_plain(text)) if _counts(match.group()))
    return tuple((owner[match.start()], owner[match.end() - 1] + 1) for match in found)


def _plain(text: str) -> str:
    return text.lower().translate(_PLAIN)


def _counts(token: str) -> bool:
    return token not in PUNCTUATION and not token.startswith("..")


def ngrams(words: Sequence[str], n: int) -> Iterator[NGram]:
    """Yield all n-grams (n words in a row) in order. Yields nothing for fewer than n words."""
    return zip(*(words[start:] for start in range(n)), strict=False)
