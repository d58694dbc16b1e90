"""Split captions into tokens, and find the n-grams (sequences of n words) that they share with their references.

BLEU, ROUGE-L and CIDEr use this module. The COCO evaluation splits captions with Stanford's Penn Treebank tokenizer, in
lower case, and drops punctuation. This module follows these rules without Java: it separates contractions ("does n't",
"dog 's", "can not"), keeps hyphens inside words ("close-up") and keeps numbers whole ("1,000", "2.5").

Sources: Chen et al., "Microsoft COCO Captions", 2015, https://arxiv.org/abs/1504.00325, section 3.1. CIDEr weighs
n-grams by their inverse document frequency: Vedantam, Zitnick and Parikh, "CIDEr", CVPR 2015,
https://arxiv.org/abs/1411.5726, section 3.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from math import log
from sys import intern

from core.types import Explanation, Match

LONGEST = 4  # n of the longest n-grams
MOST = 50  # maximum number of n-grams of one length in an explanation
MOST_PLACES = 30  # maximum number of an n-gram's positions in the candidate; likewise in all references together
Span = tuple[int, int]
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


def explained_by(*groups: Sequence[Match]) -> Explanation:
    """Return an explanation with the first matches of each group, and the number of the others."""
    matches = tuple(match for group in groups for match in group[:MOST])
    return Explanation(matches=matches, unlisted=sum(map(len, groups)) - len(matches))


def shared_ngrams(candidate: str, references: Sequence[str], n: int) -> list[Match]:
    """Return the n-grams that a caption shares with at least one reference, in the caption's order."""
    there = [ngram_places(text, n) for text in references]
    found = []
    for gram, places in ngram_places(candidate, n).items():
        held = [(number, *span) for number, text in enumerate(there) for span in text.get(gram, ())]
        if held:
            found.append(Match(" ".join(gram), "words", n, places[:MOST_PLACES], tuple(held[:MOST_PLACES])))
    return found


@lru_cache(4_096)  # cached, because captions of a picture share references, and metrics share captions
def ngram_places(text: str, n: int) -> Mapping[NGram, tuple[Span, ...]]:
    """Return the character spans of each n-gram of a text, in order of mention."""
    places: dict[NGram, list[Span]] = {}
    spans = token_spans(text)
    for start, gram in enumerate(ngrams(tokens(text), n)):
        places.setdefault(gram, []).append((spans[start][0], spans[start + n - 1][1]))
    return {gram: tuple(found) for gram, found in places.items()}


def sequence_match(candidate: str, reference: str, number: int, pairs: Sequence[tuple[int, int]]) -> Match:
    """Return the match of words that occur in the same order in candidate and reference.

    number: index of the reference. pairs: for each shared word, its index in the candidate's tokens and in the
    reference's tokens.
    """
    words, ours, theirs = tokens(candidate), token_spans(candidate), token_spans(reference)
    places = _runs(candidate, [ours[one] for one, _ in pairs])
    held = _runs(reference, [theirs[other] for _, other in pairs])
    text = " ".join(words[one] for one, _ in pairs)
    return Match(text, "sequence", len(pairs), places, tuple((number, *span) for span in held), len(pairs))


def _runs(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in the text's order. Spans with only white space between them are merged."""
    runs: list[Span] = []
    for start, end in spans:
        if runs and not text[runs[-1][1] : start].strip():
            start = runs.pop()[0]
        runs.append((start, end))
    return tuple(runs)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Counts of the n-grams in a data set's references.

    Two corpora are equal if their names, numbers of pairs and fingerprints are equal.
    """

    dataset: str
    pairs: int  # number of image-caption pairs that have references
    fingerprint: str  # 12 hex digits, which do not depend on the order of the pairs
    holding: Mapping[NGram, int] = field(compare=False, repr=False)  # key: n-gram; value: number of pairs containing it

    def idf(self, gram: NGram) -> float:
        """Return the n-gram's inverse document frequency: log(number of pairs / number of pairs with the n-gram).

        The result is at least 0. An unknown n-gram counts as if one pair had it.
        """
        return log(self.pairs) - log(self.holding.get(gram, 1))

    @property
    def varies(self) -> bool:
        """Whether n-grams differ between the pairs of a caption and its picture.

        N-grams that all pairs have in common carry no information.
        """
        return any(count != self.pairs for count in self.holding.values())

    @property
    def name(self) -> str:
        """The corpus's name, size and fingerprint, for a signature."""
        return f"{self.dataset}, {self.pairs} pairs, {self.fingerprint}"


def corpus_of(dataset: str, sets: Iterable[tuple[Sequence[str], int]]) -> Corpus:
    """Return the n-gram counts of a data set's references.

    sets: lists of references, each with the number of pairs that have exactly these references. A pair is a caption
    with its picture.
    """
    holding: Counter[NGram] = Counter()
    pairs = total = 0
    for references, count in sets:
        if not references:
            continue
        words = [tokens(text) for text in references]
        found = {gram for each in words for n in range(1, LONGEST + 1) for gram in ngrams(each, n)}
        for gram in found:
            holding[gram] += count
        pairs += count
        total += count * int.from_bytes(sha256("\0".join(references).encode()).digest())
    return Corpus(dataset, pairs, sha256(str(total).encode()).hexdigest()[:12], holding)
