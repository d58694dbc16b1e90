"""Words that a caption shares with its references, with their positions.

These words explain the scores of metrics that compare words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.captions.tokens import NGram, ngrams, token_spans, tokens
from core.types import Explanation, Match

MOST = 50  # maximum number of n-grams of one length in an explanation
MOST_PLACES = 30  # maximum number of an n-gram's positions in the candidate; likewise in all references together

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Listed:
    """Matches (shared words) to show, and the number of matches that are not shown."""

    matches: tuple[Match, ...] = ()
    unlisted: int = 0

    def __add__(self, other: "Listed") -> "Listed":
        """Join two lists."""
        return Listed(self.matches + other.matches, self.unlisted + other.unlisted)

    @property
    def explanation(self) -> Explanation:
        """An explanation that consists only of the words shared with the references."""
        return Explanation(matches=self.matches, unlisted=self.unlisted)


def listed(matches: Sequence[Match], most: int = MOST) -> Listed:
    """Return the first `most` matches, and the number of the others."""
    return Listed(tuple(matches[:most]), max(0, len(matches) - most))


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
