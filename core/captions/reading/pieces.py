"""Captions split into pieces. A piece is a word, or several adjacent words with one meaning (a run).

"a group of people in front of a fire hydrant" has six pieces: "a", "group of", "people", "in front of", "a" and "fire
hydrant".

The parser was trained on web text. It parses captions better if each run is replaced by one plain word. Here, "group
of" becomes "some", "in front of" becomes "on", and "fire hydrant" becomes "hydrant". It also mistakes many verbs for
nouns: "a farmer mends a fence". If the neighbouring words show that a word is a verb, the parser gets a common verb
such as "uses" instead. So each piece has a word for the parser (`seen`) and the words of the FACTUAL corpus
(`wording`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.captions.reading.factual import (
    ADJECTIVES,
    ARTICLES,
    BE,
    MEASURES,
    ONLY_PREPOSITIONS,
    PREPOSITIONS,
    RENAMED,
    VAGUE,
)
from core.captions.reading.lexicon import Lexicon
from core.captions.reading.words import Word, is_plural, singular

LONGEST = 7  # maximum number of words, with articles, that are read as one noun
PLAIN_PREPOSITIONS = {"out of": "from", "off": "off", "towards": "towards", "into": "into"}  # otherwise "on"

PieceKind = Literal["word", "thing", "name", "preposition", "measure"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a run of words of a caption, with its interpretation."""

    start: int  # index of the first character in the caption
    end: int  # exclusive
    seen: str  # the one word that replaces these words in the parser's input
    wording: str  # what the FACTUAL corpus writes for these words; "": nothing, as for "bunch of" in "a bunch of keys"
    kind: PieceKind


Sense = tuple[str, str, PieceKind]  # how to interpret a run: the last three fields of its piece
PieceSenses = Mapping[tuple[str, ...], Sense]  # key: words that are read as one noun, without articles


def readings(compounds: Iterable[str]) -> PieceSenses:
    """Return the interpretations of all runs: compounds, prepositions, measures, and things that are renamed."""
    table: dict[tuple[str, ...], Sense] = {
        tuple(run.split()): (PLAIN_PREPOSITIONS.get(wording, "on"), wording, "preposition")
        for run, wording in PREPOSITIONS.items()
    }
    table |= {tuple(run.split()): ("some", wording, "measure") for run, wording in MEASURES.items()}
    table |= {tuple(run.split()): (run.split()[-1], run, "thing") for run in compounds}
    table |= {("no", "one"): ("nobody", "nobody", "thing"), ("none", "of"): ("no", "no", "word")}
    return table | {tuple(run.split()): (run.split()[-1], wording, "thing") for run, wording in RENAMED.items()}


def pieces(words: Sequence[Word], table: PieceSenses) -> Iterator[Piece]:
    """Yield the pieces of a caption from left to right.

    A run is several words with one meaning. At each position, the longest run of words in `table` becomes one piece.
    """
    position = 0
    while position < len(words):
        count, sense = _longest_run(words[position : position + LONGEST], table)
        yield Piece(words[position].start, words[position + count - 1].end, *sense)
        position += count


def _longest_run(words: Sequence[Word], table: PieceSenses) -> tuple[int, Sense]:
    """Return the longest run in `table` with which the words start: its length in words, and its interpretation."""
    best: tuple[int, Sense] = 1, (words[0].text.split()[-1], words[0].text, "name" if words[0].is_name else "word")
    run: list[str] = []
    for count, word in enumerate(words, start=1):
        if count > 1 and word.text in ARTICLES:
            continue
        run.append(word.text)
        sense = table.get(tuple(run))
        if sense and (sense[2] in ("preposition", "word") or len(run) == count):
            best = count, sense
    return best


DETERMINERS = frozenset("a an the his her its their another each every some this that one two three four five".split())
OF_ONE = frozenset("a an another each every this that one".split())
SIMPLE_PREPOSITIONS = ONLY_PREPOSITIONS | frozenset(
    "in on at to for from with by of off up down out away around past near after before without about as like".split()
)
LINKS = frozenset("and or but nor while when because as where if though although before after then , ; : .".split())
OBJECTS = frozenset("it him her them himself herself itself themselves me us you something nothing".split())
SUBJECTS = frozenset("he she it who which that nobody someone somebody everyone".split())
AUXILIARIES = BE | frozenset(
    "has have had do does did can could will would may might must not n't ca wo sha cannot".split()
)
CLOSED = DETERMINERS | SIMPLE_PREPOSITIONS | LINKS | OBJECTS | SUBJECTS | AUXILIARIES | {"there", "no", "neither"}
MOVING_THINGS = frozenset(
    "sun moon wind rain snow smoke cloud fog mist wave star".split()
)  # may act like living things
NO_NOUNS = frozenset("full open empty dry clean clear free bare devoid bereft".split())


def with_plain_verbs(pieces: Sequence[Piece], lexicon: Lexicon) -> tuple[Piece, ...]:
    """Replace, by plain verbs, those verbs that the parser may mistake for nouns."""
    reader = _Neighbours(pieces, lexicon)
    return tuple(replace(piece, seen=reader.seen(place)) for place, piece in enumerate(pieces))


class _Neighbours:
    """The pieces of a sentence, which tell whether a word is a verb."""

    def __init__(self, pieces: Sequence[Piece], lexicon: Lexicon) -> None:
        self.pieces, self.lexicon = pieces, lexicon
        self.texts = [piece.wording for piece in pieces]

    def seen(self, place: int) -> str:
        """Return the word that the parser gets."""
        return self._plain_verb(place) if self._is_verb(place) else self.pieces[place].seen

    def _is_verb(self, place: int) -> bool:
        """Return whether the words before and after a word show that it is a finite verb."""
        word, lemma = self.texts[place], self.lexicon.lemma(self.texts[place])
        if not place or self.pieces[place].kind != "word" or word in CLOSED:
            return False
        before = self.pieces[place - 1]
        noun, is_third = before.wording, self._is_third(place)
        if lemma in (None, "be", "have", "do") or noun == "whose":
            return False
        if before.kind in ("preposition", "measure") or noun in CLOSED - SUBJECTS:
            return False
        if noun in ADJECTIVES | VAGUE | NO_NOUNS or noun.endswith("ed"):
            return False
        if noun.endswith("ing") and self.lexicon.lemma(noun):
            return False
        if noun in SUBJECTS:
            return noun not in ("that", "which", "it") and is_third
        if is_third:
            if self.lexicon.is_living(word) and self._next(place) not in DETERMINERS | OBJECTS:
                return False  # a living thing without an object: "cows" is no verb in "baby cows playing"
            return singular(noun) == noun and self._is_subject_of_one(place)
        measure = self.pieces[place - 2] if place > 1 else before
        if lemma == word and measure.kind == "measure" and is_plural(measure.wording):
            return self._ends_or_goes_on(place)  # "slices" is the subject in "slices of melon float in water"
        if lemma != word or not is_plural(noun) or not self._acts(noun):
            return False
        after = self._next(place)
        starts = place == 1 and singular(after) != after  # a plural follows: "load" is a verb in "Workers load crates"
        return (starts or self._ends_or_goes_on(place)) and self._opening(place)[1] in LINKS | {""}

    def _is_third(self, place: int) -> bool:
        word = self.texts[place]
        return word.endswith("s") and not word.endswith("ss") and self.lexicon.lemma(word) != word

    def _is_subject_of_one(self, place: int) -> bool:
        """Return whether the words before a word name one actor, to whose name the word does not belong."""
        (opens, before), noun = self._opening(place), self.pieces[place - 1]
        if noun.kind == "name" or self._acts(noun.wording):
            return True
        if opens in OF_ONE or (opens in DETERMINERS and before in ("while", "when", "because", "as", "although")):
            return self._ends_or_goes_on(place)  # "train" is a subject in "as the train arrives, people wave"
        return opens in DETERMINERS and self._next(place) in DETERMINERS | OBJECTS

    def _opening(self, place: int) -> tuple[str, str]:
        """Return the article or determiner of the noun before a word, and the word before that article.

        If the noun has no article, returns "" and the word before the noun.
        """
        first = place - 1
        while (
            first and self.texts[first - 1] not in CLOSED and self.pieces[first - 1].kind in ("word", "thing", "name")
        ):
            first -= 1
        opens = self.texts[first - 1] if first else ""
        if opens not in DETERMINERS:
            return "", opens
        before = first - 3 if first > 1 and self.pieces[first - 2].kind == "measure" else first - 2
        return opens, self.texts[before] if before >= 0 else ""

    def _acts(self, noun: str) -> bool:
        return singular(noun) in MOVING_THINGS or self.lexicon.is_living(noun)

    def _next(self, place: int) -> str:
        return self.texts[place + 1] if place + 1 < len(self.texts) else ""

    def _ends_or_goes_on(self, place: int) -> bool:
        """Return whether the word must be the last word of a name: a preposition, an article or nothing follows."""
        if place + 1 == len(self.texts):
            return True
        after = self.pieces[place + 1]
        return after.kind == "preposition" or after.wording in CLOSED or after.wording.endswith("ly")

    def _plain_verb(self, place: int) -> str:
        """Return the common verb that replaces a verb for the parser.

        It is "uses" if an object follows, "sits" if nothing or a preposition follows, and otherwise "holds". The ending
        "s" is added only if the original verb has it.
        """
        after, ending = self._next(place), "s" if self.texts[place].endswith("s") else ""
        is_preposition = place + 1 < len(self.pieces) and self.pieces[place + 1].kind == "preposition"
        if not after or is_preposition or after in LINKS | SIMPLE_PREPOSITIONS or after.endswith("ly"):
            return f"sit{ending}"
        return f"use{ending}" if after in DETERMINERS | OBJECTS else f"hold{ending}"
