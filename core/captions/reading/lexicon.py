"""What English words mean: which things a noun can name, and of which verb a form is.

The tables in assets/words come from WordNet. In nouns.tsv, one line is one meaning: the nouns with this meaning, and
the numbers of its wider meanings. So "skier" names a person, "sofa" a couch and "animal" a dog. In verbs.tsv, a line is
a lemma (base form), or an irregular form with its lemma.

Labels and nouns may have several words. Only the longest ending in the table is used; words before it are ignored. So
"large brown dog" is a dog and "tennis player" is a player, but "hot dog" is not a dog.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from core.captions.reading.factual import COLOURS
from core.captions.reading.words import VOWELS, singular

NOUNS, VERBS = (Path(__file__).parents[3] / "assets" / "words" / name for name in ("nouns.tsv", "verbs.tsv"))

Naming = Literal["is", "wider", "other", "unknown"]  # relation of a noun to a label; "unknown": NOUNS lacks one of them

PLAIN_PEOPLE = ("man", "woman", "boy", "girl", "child", "male person")  # names that state only a person's sex and age
PERSON_ENDINGS = ("keeper", "player", "striker", "ist", "tress", "man", "woman", "person", "child")
KEPT_NAMINGS, KEPT_WORDS = 100_000, 20_000  # maximum number of cached relations (about 20 MB), and of cached words
AFTER_HEAD = frozenset("in of with without on at by from for near behind under over and who that which wearing".split())

NEVER_DOUBLED = "wxyh"


class Lexicon:
    """Nouns with their meanings and wider meanings, and verbs with their forms."""

    def __init__(self, nouns: Path = NOUNS, verbs: Path = VERBS) -> None:
        """Read both tables. `name` contains the first digits of the nouns' sha256. Raises OSError for missing files.

        A noun's meanings are sorted, the most likely first. Doubtful nouns often mean something else, such as "crane".
        """
        text = nouns.read_text(encoding="utf-8")
        self.name = f"wordnet-3.0@{hashlib.sha256(text.encode()).hexdigest()[:12]}"  # in the signatures of metrics
        found: dict[str, list[tuple[int, int]]] = {}
        self._wider: list[tuple[int, ...]] = []
        self._doubtful: set[str] = set()
        for number, line in enumerate(text.splitlines()):
            names, above = line.split("\t")
            self._wider.append(tuple(map(int, above.split())))
            for noun in filter(None, names.split("|")):
                name, _, place = noun.partition("/")
                if place == "?":
                    self._doubtful.add(name)
                else:
                    found.setdefault(name, []).append((int(place or 0), number))
        self._senses = {noun: tuple(number for _, number in sorted(places)) for noun, places in found.items()}
        rows = [line.split("\t") for line in verbs.read_text(encoding="utf-8").splitlines()]
        self._lemmas = frozenset(row[0] for row in rows if len(row) == 1)
        self._irregular = {row[0]: row[1] for row in rows if len(row) > 1}
        self._above: dict[int, frozenset[int]] = {}
        self._compared = lru_cache(KEPT_NAMINGS)(self._compare)
        self.known = lru_cache(KEPT_WORDS)(self._known)

    def is_doubtful(self, noun: str) -> bool:
        """Return whether a noun often has a meaning that the table lacks: "crane" is also a machine."""
        return self.known(noun) in self._doubtful

    def naming(self, noun: str, label: str, *, likeliest: bool = False) -> Naming:
        """Return how a noun relates to a label: same thing ("is"), wider kind, or other thing.

        The label is used only in its most likely meaning. With `likeliest` the noun is also used only in its most
        likely meaning. Otherwise any meaning of the noun may match. Returns "unknown" if the table lacks the noun or
        the label.
        """
        return self._compared(noun, label, likeliest)

    def is_a(self, noun: str, kind: str) -> bool:
        """Return whether a noun, in its most likely meaning, names a kind of thing such as "animal"."""
        return self.naming(noun, kind, likeliest=True) == "is"

    def is_person(self, noun: str) -> bool:
        """Return whether a noun names a person, by the table or by its ending: "goalkeeper" ends with "keeper"."""
        return self.is_a(noun, "person") or singular(noun.split()[-1]).endswith(PERSON_ENDINGS)

    def is_living(self, noun: str) -> bool:
        """Return whether a noun names a person or an animal."""
        return self.is_person(noun) or self.is_a(noun, "animal")

    def _compare(self, noun: str, label: str, likeliest: bool) -> Naming:
        if self.same(noun, label):
            return "is"
        name, title = self.known(noun), self.known(head(label))
        if name is None or title is None:
            return "unknown"
        kinds, meanings = self._senses[title], self._senses[name][: 1 if likeliest else None]
        if any(kinds[0] == meaning or kinds[0] in self.above(meaning) for meaning in meanings):
            return "is"
        if name.endswith(f" {title}") and any(kind in self.above(one) for one in self._senses[name] for kind in kinds):
            return "is"  # "salad bowl" for "bowl", in any meanings of both nouns
        is_wider = any(meaning in self.above(kinds[0]) for meaning in meanings)
        return "wider" if is_wider or self._may_be_one_person(meanings[0], kinds[0]) else "other"

    def _may_be_one_person(self, one: int, other: int) -> bool:
        """Return whether two meanings may name the same person: "skier" and "woman".

        one: the number of the noun's meaning. other: the number of the label's meaning. Both must mean persons, but not
        relatives such as "mother". Exactly one of them must state only sex and age, as "woman" and "child" do. The
        other is then an occupation or activity, for example. As an exception, the noun "people" may name the same
        persons as any label for persons.
        """
        people, person, kin = (self._senses.get(noun, (-1,))[0] for noun in ("people", "person", "relative"))
        if people in (one, other):
            return one == people and person in self.above(other)
        above = [{meaning} | self.above(meaning) for meaning in (one, other)]
        plain = [any(self._senses.get(noun, (-1,))[0] in meanings for noun in PLAIN_PEOPLE) for meanings in above]
        return all(person in meanings and kin not in meanings for meanings in above) and plain[0] != plain[1]

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

    def _known(self, noun: str) -> str | None:
        """Return the longest ending of a noun that is in the table, in the singular; None if no ending is."""
        words = noun.lower().replace("-", " ").split()
        ends = (words[start:] for start in range(len(words)))
        return next((form for end in ends for form in forms(end) if form in self._senses), None)

    def above(self, meaning: int) -> frozenset[int]:
        """Return the numbers of all meanings that are wider than a meaning: "animal" is wider than "dog"."""
        if meaning not in self._above:
            nearest = self._wider[meaning]
            self._above[meaning] = frozenset(nearest).union(*(self.above(other) for other in nearest))
        return self._above[meaning]

    def lemma(self, form: str) -> str | None:
        """Return the lemma of a lower-case verb form: "huddle" for "huddled"; None if unknown."""
        if form in self._irregular:
            return self._irregular[form]
        return next((lemma for lemma in (*_guesses(form), form) if lemma in self._lemmas), None)


@cache
def lexicon() -> Lexicon:
    """Return Capscope's own tables, read only once. Raises OSError if a file is missing."""
    return Lexicon()


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


def _guesses(form: str) -> list[str]:
    """Return possible lemmas of a regular form, the most likely first."""
    for ending in ("ing", "ed"):
        if form.endswith(ending) and len(form) > len(ending) + 1:
            return _stems(form.removesuffix(ending))
    if form.endswith("ies") and len(form) > 3:
        return [form[:-3] + "y", form[:-1]]
    if form.endswith("s") and not form.endswith("ss"):
        return [form[:-1], form[:-2]] if form.endswith("es") else [form[:-1]]
    return []


def _stems(stem: str) -> list[str]:
    """Return possible lemmas (base forms) of a verb form whose "-ing" or "-ed" was removed.

    Example: "rid" (from "riding") comes from "ride", because the verb "rid" would double its d ("ridding").
    """
    if len(stem) > 3 and stem[-1] == stem[-2]:
        return [stem, stem[:-1], stem + "e"]
    if stem.endswith("i"):  # "skiing" comes from "ski", "carried" from "carry" ("sky" has no such "i": "skying")
        return [stem, stem[:-1] + "y", stem + "e"]
    short = len(stem) > 1 and stem[-1] not in VOWELS + NEVER_DOUBLED and stem[-2] in VOWELS
    only_vowel = sum(letter in VOWELS for letter in stem) == 1
    return [stem + "e", stem] if short and only_vowel else [stem, stem + "e"]


def present_participle(lemma: str) -> str:
    """Return the form in "-ing": "lying" for "lie", "jogging" for "jog"."""
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if len(lemma) > 2 and lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")):
        return lemma[:-1] + "ing"
    vowels = [place for place, letter in enumerate(lemma) if letter in VOWELS]
    doubled = len(lemma) > 2 and vowels == [len(lemma) - 2] and lemma[-1] not in NEVER_DOUBLED
    return lemma + (lemma[-1] if doubled else "") + "ing"
