"""Which nouns name which things, after a table of WordNet's: "skier" names a person, "sofa" a couch, "animal" a dog.

The table (assets/words/nouns.tsv) has one meaning a line: the nouns for it, and the numbers of wider meanings. Labels
and nouns may be of several words; what stands before the longest run of words that the table knows is left aside, so
"large brown dog" is a dog and "tennis player" a player, but "hot dog" is no dog.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from core.captions.conventions import COLOURS
from core.captions.words import singular

TABLE = Path(__file__).parents[2] / "assets" / "words" / "nouns.tsv"

Naming = Literal["is", "wider", "other", "unknown"]  # of a noun and a label; "unknown": the table lacks one of them

PLAIN_PEOPLE = ("man", "woman", "boy", "girl", "child", "male person")  # say of a person only sex and age
KEPT_NAMINGS = 100_000  # answers remembered in memory: some 20 MB
AFTER_HEAD = frozenset("in of with without on at by from for near behind under over and who that which wearing".split())


class NounTable:
    """Nouns with their meanings, and how meanings contain one another."""

    def __init__(self, name: str, senses: Mapping[str, tuple[int, ...]], wider: Sequence[tuple[int, ...]]) -> None:
        """Take the meanings of nouns in the singular, the likeliest first, and the wider meanings of each meaning."""
        self.name = name  # what signatures call the table
        self._senses, self._wider = senses, wider
        self._above: dict[int, frozenset[int]] = {}
        self._known: dict[str, str | None] = {}
        self._namings: dict[tuple[str, str, bool], Naming] = {}

    @classmethod
    def read(cls, file: Path) -> "NounTable":
        """Read a table; its name holds the first digits of its sha256. Raises OSError where the file is missing."""
        text = file.read_text(encoding="utf-8")
        found: dict[str, list[tuple[int, int]]] = {}
        wider: list[tuple[int, ...]] = []
        for number, line in enumerate(text.splitlines()):
            nouns, above = line.split("\t")
            wider.append(tuple(map(int, above.split())))
            for noun in filter(None, nouns.split("|")):
                name, _, place = noun.partition("/")
                found.setdefault(name, []).append((int(place or 0), number))
        senses = {noun: tuple(number for _, number in sorted(places)) for noun, places in found.items()}
        return cls(f"wordnet-3.0@{hashlib.sha256(text.encode()).hexdigest()[:12]}", senses, wider)

    def naming(self, noun: str, label: str, *, likeliest: bool = False) -> Naming:
        """Return whether a noun is a word for what a label says ("is"), for a wider kind of thing, or for another.

        A label has its likeliest meaning; likeliest: so has the noun, otherwise any of its meanings will do.
        """
        asked = (noun, label, likeliest)
        found = self._namings.get(asked)  # captions name the same things, and every label is asked about each
        if found is None:
            if len(self._namings) >= KEPT_NAMINGS:
                self._namings = {}
            found = self._namings[asked] = self._compared(noun, label, likeliest)
        return found

    def _compared(self, noun: str, label: str, likeliest: bool) -> Naming:
        if self.same(noun, label):
            return "is"
        name, title = self.known(noun), self.known(head(label))
        if name is None or title is None:
            return "unknown"
        thing, meanings = self._senses[title][0], self._senses[name][: 1 if likeliest else None]
        if any(thing == meaning or thing in self.above(meaning) for meaning in meanings):
            return "is"
        wider = any(meaning in self.above(thing) for meaning in meanings)
        return "wider" if wider or self._may_be_one_person(meanings[0], thing) else "other"

    def _may_be_one_person(self, one: int, other: int) -> bool:
        """Say whether a noun's meaning and a label's may be said of one person.

        One says what somebody does and the other only that it is a man, a woman or a child; "people" are any persons.
        """
        if self._first("people") in (one, other):
            return one == self._first("people") and self._first("person") in self.above(other)
        above = [{meaning} | self.above(meaning) for meaning in (one, other)]
        person, kin = self._first("person"), self._first("relative")
        plain = [any(self._first(noun) in meanings for noun in PLAIN_PEOPLE) for meanings in above]
        return all(person in meanings and kin not in meanings for meanings in above) and plain[0] != plain[1]

    def _first(self, noun: str) -> int:
        return self._senses.get(noun, (-1,))[0]

    def same(self, noun: str, label: str) -> bool:
        """Say whether a noun is the very word of a label, in the singular or not: "dogs" for "brown dog"."""
        name = self.known(noun)
        return same_word(noun, label) or (name is not None and name == self.known(head(label)))

    def synonyms(self, one: str, other: str) -> bool:
        """Say whether two nouns share a meaning."""
        names = self.known(one), self.known(other)
        meanings = [set(self._senses[name]) if name else set() for name in names]
        return bool(meanings[0] & meanings[1]) and len(one.split()) == len(other.split())

    def known(self, noun: str) -> str | None:
        """Return the longest end of a noun of several words that the table knows, in the singular; None for none."""
        if noun not in self._known:
            words = noun.lower().replace("-", " ").split()
            ends = (words[start:] for start in range(len(words)))
            self._known[noun] = next((form for end in ends for form in forms(end) if form in self._senses), None)
        return self._known[noun]

    def above(self, meaning: int) -> frozenset[int]:
        """Return all meanings wider than one."""
        if meaning not in self._above:
            nearest = self._wider[meaning]
            self._above[meaning] = frozenset(nearest).union(*(self.above(other) for other in nearest))
        return self._above[meaning]


def forms(words: Sequence[str]) -> Iterator[str]:
    """Yield how a table may write a noun of one or more words: as it stands, in the singular, in one word."""
    for last in dict.fromkeys((words[-1], singular(words[-1]))):
        run = [*words[:-1], last]
        yield " ".join(run)
        if len(run) > 1:
            yield from ("-".join(run), "".join(run))


def head(label: str) -> str:
    """Return what a label is about: "man" of "man in a beige coat", "tie" of "black tie", all of "dining table"."""
    words = label.lower().split()
    start = next((place for place, word in enumerate(words) if word not in COLOURS | {"and"}), 0)
    end = next((place for place, word in enumerate(words) if place > start and word in AFTER_HEAD), len(words))
    return " ".join(words[start:end])


def same_word(noun: str, label: str) -> bool:
    """Say whether a noun and a label are one word or run of words, in the singular or not."""
    one, other = (text.lower().replace("-", " ").split() for text in (noun, label))
    return one[:-1] == other[:-1] and one[-1:] != [] != other[-1:] and singular(one[-1]) == singular(other[-1])
