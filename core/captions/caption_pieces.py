"""Captions split into pieces. A piece is a word, or several adjacent words with one meaning (a run).

"a group of people in front of a fire hydrant" has six pieces: "a", "group of", "people", "in front of", "a" and "fire
hydrant".

The parser was trained on web text. It parses captions better if each run is replaced by one plain word. Here, "group
of" becomes "some", "in front of" becomes "on", and "fire hydrant" becomes "hydrant". So each piece has a word for the
parser (`seen`) and the words of the FACTUAL corpus (`wording`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.captions.factual_conventions import ARTICLES, ENDING_LIKE_VERBS, MEASURES, PREPOSITIONS, RENAMED
from core.captions.word_splitting import Word

LONGEST = 7  # maximum number of words, with articles, that are read as one noun
PLAIN_PREPOSITIONS = {"out of": "from", "off": "off", "towards": "towards", "into": "into"}  # otherwise "on"

TAKING_PICTURES = {
    "take": "photograph", "takes": "photographs", "taking": "photographing", "took": "photographed",
    "snap": "photograph", "snaps": "photographs", "snapping": "photographing",
}  # fmt: skip
USING = {"photograph": "use", "photographs": "uses", "photographing": "using", "photographed": "used"}

ADVERBS = ("side by side", "upside down")

PieceKind = Literal["word", "thing", "name", "preposition", "measure"]


@dataclass(frozen=True, slots=True)
class PieceSense:
    """How to interpret a run (several words with one meaning)."""

    seen: str  # the one word that replaces these words in the parser's input
    wording: str  # what the FACTUAL corpus writes for these words; "": nothing, as for "bunch of" in "a bunch of keys"
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a run of words of a caption, with its interpretation."""

    start: int  # index of the first character in the caption
    end: int  # exclusive
    seen: str
    wording: str
    kind: PieceKind


PieceSenses = Mapping[tuple[str, ...], PieceSense]  # key: words that are read as one noun, without articles


def readings(compounds: Iterable[str]) -> PieceSenses:
    """Return the interpretations of all runs (several words with one meaning).

    compounds: the compound nouns, which are one kind of run. The other kinds are prepositions, measures, and things
    that the FACTUAL corpus renames.
    """
    table = {tuple(run.split()): preposition(wording) for run, wording in PREPOSITIONS.items()}
    table |= {tuple(run.split()): PieceSense("some", wording, "measure") for run, wording in MEASURES.items()}
    table |= {tuple(run.split()): PieceSense(run.split()[-1], run, "thing") for run in compounds}
    endings = [(name, ending) for name in ENDING_LIKE_VERBS for ending in ("", "s")]
    table |= {(*(name + s).split(),): PieceSense(f"road{s}", name + s, "thing") for name, s in endings}
    table |= {("no", "one"): PieceSense("nobody", "nobody", "thing"), ("none", "of"): PieceSense("no", "no", "word")}
    table |= {
        (verb, picture, "of"): PieceSense(USING[form], form, "word")
        for verb, form in TAKING_PICTURES.items()
        for picture in ("picture", "pictures", "photo", "photos", "photograph", "photographs")
    }
    table |= {tuple(adverb.split()): PieceSense("together", adverb, "word") for adverb in ADVERBS}
    return table | {
        tuple(run.split()): PieceSense(run.split()[-1], wording, "thing") for run, wording in RENAMED.items()
    }


def preposition(wording: str) -> PieceSense:
    """Return the interpretation of a preposition of several words, such as "in front of"."""
    return PieceSense(PLAIN_PREPOSITIONS.get(wording, "on"), wording, "preposition")


def pieces(words: Sequence[Word], table: PieceSenses) -> Iterator[Piece]:
    """Yield the pieces of a caption from left to right.

    A run is several words with one meaning. At each position, the longest run of words in `table` becomes one piece.
    """
    position = 0
    while position < len(words):
        count, reading = longest_run(words[position : position + LONGEST], table)
        yield Piece(words[position].start, words[position + count - 1].end, reading.seen, reading.wording, reading.kind)
        position += count


def longest_run(words: Sequence[Word], table: PieceSenses) -> tuple[int, PieceSense]:
    """Return the longest run in `table` with which the words start.

    A run is several words with one meaning. The result is the run's length in words, and its interpretation. If the
    table has no such run, returns the length 1 and an interpretation of the first word.
    """
    best = 1, PieceSense(words[0].text.split()[-1], words[0].text, "name" if words[0].is_name else "word")
    run: list[str] = []
    for count, word in enumerate(words, start=1):
        if count > 1 and word.text in ARTICLES:
            continue
        run.append(word.text)
        reading = table.get(tuple(run))
        if run[-1:] == ["set"] and [one.text for one in words[count : count + 1]] in (["for"], ["with"]):
            continue  # "a table set for two"
        if reading and (reading.kind in ("preposition", "word") or len(run) == count):
            best = count, reading
    return best
