"""Determine which things a noun can name, by a table from WordNet.

Examples: "skier" names a person, "sofa" names a couch, "animal" names a dog. The table (assets/words/nouns.tsv) has one
meaning per line. A line lists the nouns with this meaning, and the numbers of its wider meanings.

Labels and nouns may have several words. Only the longest ending in the table is used; words before it are ignored. So
"large brown dog" is a dog and "tennis player" is a player, but "hot dog" is not a dog.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from core.captions.factual_conventions import COLOURS
from core.captions.word_splitting import singular

TABLE = Path(__file__).parents[2] / "assets" / "words" / "nouns.tsv"

Naming = Literal["is", "wider", "other", "unknown"]  # relation of a noun to a label; "unknown": TABLE lacks one of them

PLAIN_PEOPLE = ("man", "woman", "boy", "girl", "child", "male person")  # names that state only a person's sex and age
KEPT_NAMINGS = 100_000  # maximum number of cached relations between nouns and labels, about 20 MB
KEPT_WORDS = 20_000  # maximum number of cached labels, and of pairs of a noun and a label
AFTER_HEAD = frozenset("in of with without on at by from for near behind under over and who that which wearing".split())


class NounTable:
    """Nouns with their meanings, and the wider meanings of each meaning."""

    def __init__(
        self,
        name: str,
        senses: Mapping[str, tuple[int, ...]],
        wider: Sequence[tuple[int, ...]],
        doubtful: Collection[str] = (),
    ) -> None:
        """Take the meanings of singular nouns, most likely meaning first.

        senses: for each noun, the numbers of its meanings. wider: for each meaning, the numbers of its wider meanings.
        doubtful: nouns that often mean something else, such as "crane" or "white".
        """
        self.name = name  # the table's name in the signatures of metrics
        self._senses, self._wider, self._doubtful = senses, wider, frozenset(doubtful)
        self._above: dict[int, frozenset[int]] = {}
        self._known: dict[str, str | None] = {}
        self._namings: dict[tuple[str, str, bool], Naming] = {}

    @classmethod
    def read(cls, file: Path) -> "NounTable":
        """Read a table of nouns from a file.

        The table's name contains the first digits of the file's sha256. Raises OSError if the file is missing.
        """
        text = file.read_text(encoding="utf-8")
        found: dict[str, list[tuple[int, int]]] = {}
        wider: list[tuple[int, ...]] = []
        doubtful: set[str] = set()
        for number, line in enumerate(text.splitlines()):
            nouns, above = line.split("\t")
            wider.append(tuple(map(int, above.split())))
            for noun in filter(None, nouns.split("|")):
                name, _, place = noun.partition("/")
                if place == "?":
                    doubtful.add(name)
                    continue
                found.setdefault(name, []).append((int(place or 0), number))
        senses = {noun: tuple(number for _, number in sorted(places)) for noun, places in found.items()}
        return cls(f"wordnet-3.0@{hashlib.sha256(text.encode()).hexdigest()[:12]}", senses, wider, doubtful)

    def is_doubtful(self, noun: str) -> bool:
        """Return whether a noun often has a meaning that the table lacks: "crane" is also a machine."""
        return self.known(noun) in self._doubtful

    def naming(self, noun: str, label: str, *, likeliest: bool = False) -> Naming:
        """Return how a noun relates to a label: same thing ("is"), wider kind, or other thing.

        The label is used only in its most likely meaning. With `likeliest` the noun is also used only in its most
        likely meaning. Otherwise any meaning of the noun may match. Returns "unknown" if the table lacks the noun or
        the label.
        """
        asked = (noun, label, likeliest)
        found = self._namings.get(asked)  # cached, because captions often name the same things
        if found is None:
            if len(self._namings) >= KEPT_NAMINGS:
                self._namings = {}
            found = self._namings[asked] = self._compared(noun, label, likeliest)
        return found

    def is_a(self, noun: str, kind: str) -> bool:
        """Return whether a noun, in its most likely meaning, names a kind of thing such as "animal"."""
        return self.naming(noun, kind, likeliest=True) == "is"

    def is_living(self, noun: str) -> bool:
        """Return whether a noun names a person or an animal."""
        return self.is_a(noun, "person") or self.is_a(noun, "animal")

    def _compared(self, noun: str, label: str, likeliest: bool) -> Naming:
        if self.same(noun, label):
            return "is"
        name, title = self.known(noun), self.known(head(label))
        if name is None or title is None:
            return "unknown"
        thing, meanings = self._senses[title][0], self._senses[name][: 1 if likeliest else None]
        if any(thing == meaning or thing in self.above(meaning) for meaning in meanings):
            return "is"
        if self._is_compound(name, title):
            return "is"
        wider = any(meaning in self.above(thing) for meaning in meanings)
        return "wider" if wider or self._may_be_one_person(meanings[0], thing) else "other"

    def _is_compound(self, name: str, title: str) -> bool:
        """Return whether a noun is a kind of the label's noun and ends with it: "salad bowl" for "bowl".

        All meanings of both nouns are considered.
        """
        kinds = self._senses[title]
        return name.endswith(f" {title}") and any(
            kind in self.above(meaning) for meaning in self._senses[name] for kind in kinds
        )

    def _may_be_one_person(self, one: int, other: int) -> bool:
        """Return whether two meanings may name the same person: "skier" and "woman".

        one: the number of the noun's meaning. other: the number of the label's meaning. Both must mean persons, but not
        relatives such as "mother". Exactly one of them must state only sex and age, as "woman" and "child" do. The
        other is then an occupation or activity, for example. As an exception, the noun "people" may name the same
        persons as any label for persons.
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
        """Return whether a noun is the label's main noun, singular or plural: "dogs" for "brown dog"."""
        name = self.known(noun)
        return same_word(noun, label) or (name is not None and name == self.known(head(label)))

    def covers(self, noun: str, label: str) -> bool:
        """Return whether a label shows all that a noun says: "dog" shows a dog and an animal, but no puppy.

        Also returns True if the table lacks one of the two.
        """
        name, title = self.known(noun), self.known(head(label))
        if name is None or title is None or self.same(noun, label):
            return True
        thing = self._senses[title][0]
        wide = self.above(thing) | {thing}
        return any(meaning in wide for meaning in self._senses[name])

    def known(self, noun: str) -> str | None:
        """Return the longest ending of a noun that is in the table, in the singular; None if no ending is."""
        if noun not in self._known:
            words = noun.lower().replace("-", " ").split()
            ends = (words[start:] for start in range(len(words)))
            self._known[noun] = next((form for end in ends for form in forms(end) if form in self._senses), None)
        return self._known[noun]

    def above(self, meaning: int) -> frozenset[int]:
        """Return the numbers of all meanings that are wider than a meaning: "animal" is wider than "dog"."""
        if meaning not in self._above:
            nearest = self._wider[meaning]
            self._above[meaning] = frozenset(nearest).union(*(self.above(other) for other in nearest))
        return self._above[meaning]


@cache
def bundled_nouns() -> NounTable:
    """Return Capscope's own table of nouns, read only once. Raises OSError if the file is missing."""
    return NounTable.read(TABLE)


def forms(words: Sequence[str]) -> Iterator[str]:
    """Yield the spellings under which a noun may be in the table: unchanged, singular, as one word."""
    for last in dict.fromkeys((words[-1], singular(words[-1]))):
        run = [*words[:-1], last]
        yield " ".join(run)
        if len(run) > 1:
            yield from ("-".join(run), "".join(run))


@lru_cache(maxsize=KEPT_WORDS)
def head(label: str) -> str:
    """Return the main noun of a label: "man" of "man in a beige coat", "tie" of "black tie".

    The main noun of "dining table" is the whole name.
    """
    words = label.lower().split()
    start = next((place for place, word in enumerate(words) if word not in COLOURS | {"and"}), 0)
    end = next((place for place, word in enumerate(words) if place > start and word in AFTER_HEAD), len(words))
    return " ".join(words[start:end])


@lru_cache(maxsize=KEPT_WORDS)
def same_word(noun: str, label: str) -> bool:
    """Return whether a noun and a label are the same words, singular or plural."""
    one, other = (text.lower().replace("-", " ").split() for text in (noun, label))
    return one[:-1] == other[:-1] and one[-1:] != [] != other[-1:] and singular(one[-1]) == singular(other[-1])
