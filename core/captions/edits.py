"""Suggested edits of a caption of an annotated picture: leave out, add or exchange a thing.

The edits use only the caption's words and the labels of the picture's regions. A thing is left unchanged if the words
around it may not fit another thing: proper names ("Eiffel Tower"), compounds ("baseball pitcher"), amounts ("a bowl of
soup") and verbs that suit only one kind of thing ("an airplane flies").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from core.captions.english import may_be_english
from core.captions.reading.factual import COLOURS, NUMBERS
from core.captions.reading.lexicon import Lexicon
from core.captions.reading.words import article, like, plural, singular

Kind = Literal["leave out", "add", "exchange"]

PREPOSITIONS = frozenset(
    "in on at with by near under over behind beside against across along through around down up of to next from "
    "between above below inside into past onto before after toward towards among".split()
)
LEADS = ("in front of", "on top of", "next to", "close to", "in back of")
CLAUSE_ENDS = frozenset({"and", "while", "as", "but", "that", "who", "which", "is", "are"})
DETERMINERS = frozenset("a an the this that another one his her its their my our each every".split())
SEVERAL = frozenset("some these those both several many few".split()) | frozenset(NUMBERS)
# Verbs that suit any animal, or any vehicle. Other verbs may suit only some of them.
POSES = frozenset(
    "stand stands standing sit sits sitting lie lies lying lay lays laying rest rests resting wait waits waiting walk "
    "walks walking run runs running look looks looking eat eats eating drink drinks drinking sleep sleeps sleeping "
    "stop stops stopping stopped park parks parked drive drives driving travel travels traveling pass passes passing "
    "placed".split()
)
# Verbs that need a place or another word after them: nobody writes a caption such as "people stand" or "a cat is".
NEEDING_A_PLACE = re.compile(
    r"st[ao]nd|stood|sit|seat|sat\b|l[aiy]|hang|hung|rest|lean|perch|wait|look|(?:is|are|was|were)\b"
)
NEEDED_AFTER = frozenset("with by in on as into".split())  # after a participle, these must stay: "topped with"
REACH = 4  # maximum number of words between a preposition and its noun
ADDED = ("dog", "bicycle", "umbrella", "horse", "boat", "cat")
ANIMALS = tuple("dog horse cat cow sheep elephant bear zebra".split())
PERSONS = ("man", "woman", "child")
# Any noun of a kind can be replaced by a noun of its list; without a kind, only by a noun of the same list.
KINDS = (
    ("animal", ANIMALS),
    ("vehicle", ("bus", "car", "truck", "train", "bicycle", "motorcycle")),
    ("furniture", ("chair", "couch", "bed", "bench", "table")),
    ("food", ("sandwich", "cake", "pizza", "banana", "apple")),
    ("", ("oven", "microwave", "refrigerator", "toaster")),
    ("", ("laptop", "keyboard", "clock")),
    ("", ("bowl", "cup", "bottle", "vase")),
    ("", ("skateboard", "surfboard", "snowboard")),
    ("", ("umbrella", "suitcase", "handbag", "backpack")),
    ("", ("knife", "fork", "spoon")),
    ("", ("tower", "tree")),
)
HUES = ("red", "blue", "green", "yellow", "purple", "orange", "pink", "black", "white", "brown")
MODIFIERS = COLOURS | frozenset(
    "large small big little huge tiny old new young tall short elderly smiling grey-haired wild baby adult".split()
)
PRONOUNS = frozenset("his her their he she him himself herself".split())  # may not fit another person


@dataclass(frozen=True, slots=True)
class Trial:
    """A suggested edit of a caption, for people who try a metric."""

    kind: Kind
    words: str  # the button's label, which says what the edit does
    caption: str  # the edited caption


def trials(caption: str, labels: Sequence[str], vocabulary: Sequence[str], nouns: Lexicon) -> tuple[Trial, ...]:
    """Return at most one suggested edit of each kind.

    Returns () if the caption names no label or does not look English. labels: the names of the picture's regions.
    vocabulary: the objects that annotators looked for. Only for these objects is it known whether they are absent from
    a picture.
    """
    if not may_be_english(caption):
        return ()
    editor = _Editor(caption, labels, vocabulary or labels, nouns)
    found = (editor.added(), editor.left_out(), editor.exchanged() or editor.recoloured())
    return tuple(trial for trial in found if trial is not None and trial.caption != caption)


class _Editor:
    """A caption in words, with the places of those that name regions."""

    def __init__(self, caption: str, labels: Sequence[str], vocabulary: Sequence[str], nouns: Lexicon) -> None:
        self.caption, self.labels, self.vocabulary, self.nouns = caption, labels, vocabulary, nouns
        self.spans = [match.span() for match in re.finditer(r"[\w'’-]+", caption)]
        self.words = [caption[start:end].lower() for start, end in self.spans]
        self.said = {singular(word) for word in self.words}
        naming = [place for place, word in enumerate(self.words) if self._names_region(word)]
        self.named = [place for place in naming if place + 1 not in naming]  # last words: "bus" in "city bus"

    def left_out(self) -> Trial | None:
        """Remove the last thing that the caption names, with its preposition and all words that depend on it."""
        for place in reversed(self.named):
            lead, end = self._lead(place), self._end(place)
            if lead and end and self._may_go(lead, place, end):  # lead 0: no words stand before it
                rest = self.caption[end:].lstrip()
                joined = rest if not rest or rest[0] in ",.;:!?" else f" {rest}"
                left = self.caption[: self.spans[lead][0]].rstrip() + joined
                return Trial("leave out", f"leave out “{self._name(place)}”", left)
        return None

    def added(self) -> Trial | None:
        """Add a thing that is not in the picture."""
        thing = self._absent(ADDED)
        if not self.named or thing is None:
            return None
        added, body = f"{article(thing)} {thing}", self.caption.rstrip().rstrip(".!?").rstrip()
        is_chain = re.search(r"\b(?:next to|beside|near)\b", self.caption, re.IGNORECASE)
        more = f"with {added} nearby" if is_chain else f"next to {added}"
        return Trial("add", f"add {added}", f"{body} {more}{self.caption[len(body) :].strip()}")

    def exchanged(self) -> Trial | None:
        """Exchange a thing for another of its kind that is not in the picture."""
        for place in self.named:
            if not self._is_in_name(place) and self._stands_free(place) and (other := self._other(place)):
                start, end = self.spans[place]
                sex = re.search(r"\b(?:fe)?male +$", self.caption[:start], re.IGNORECASE)
                other = plural(other) if self._is_plural(place) else other
                return self._put(sex.start() if sex else start, end, other, self._which(place))
        return None

    def recoloured(self) -> Trial | None:
        """Exchange a colour that a label states, such as "red" for the label "red pagoda"."""
        for place in self.named:
            for at in range(max(0, place - 2), place):
                if self.words[at] in HUES and any(self._states(label, at, place) for label in self.labels):
                    known = self.said | {word for label in self.labels for word in label.lower().split()}
                    hue = next((hue for hue in ("blue", *HUES) if hue not in known), None)
                    return self._put(*self.spans[at], hue) if hue else None
        return None

    def _put(self, start: int, end: int, words: str, which: str = "") -> Trial:
        """Replace a part of the caption, and correct an article before it."""
        old, before = self.caption[start:end], self.caption[:start]
        if (found := re.search(r"\b(an?)\s+\Z", before, re.IGNORECASE)) and found[1].lower() != article(words):
            before = before[: found.start()] + like(found[1], article(words)) + before[found.end(1) :]
        return Trial("exchange", f"“{which}{old}” → “{which}{words}”", before + like(old, words) + self.caption[end:])

    def _names_region(self, word: str) -> bool:
        if word in PREPOSITIONS | CLAUSE_ENDS:
            return False
        return any(self.nouns.naming(word, label, likeliest=True) in ("is", "wider") for label in self.labels)

    def _absent(self, things: Sequence[str]) -> str | None:
        """Return the first thing that is certainly not in the picture and not named in the caption."""
        for thing in things:
            there = any(self.nouns.naming(thing, label) in ("is", "wider") for label in self.labels)
            if thing not in self.said and not there and any(self.nouns.is_a(thing, kind) for kind in self.vocabulary):
                return thing
        return None

    def _before(self, place: int) -> list[str]:
        """Return the adjectives before a noun, the nearest first."""
        usual = (word for word in reversed(self.words[:place]))
        return list(takewhile(lambda word: word in MODIFIERS | {"male", "female"}, usual))

    def _which(self, place: int) -> str:
        """Return the adjectives before a noun that the caption contains repeatedly: "grey-haired " of two men."""
        noun, before = singular(self.words[place]), self._before(place)
        repeated = sum(singular(word) == noun for word in self.words) > 1
        return "".join(f"{word} " for word in reversed(before)) if repeated else ""

    def _name(self, place: int) -> str:
        """Return a word, or the whole proper name that ends with it: "flag", or "Eiffel Tower" for "Tower"."""
        first = place
        while first and all(self.caption[self.spans[at][0]].isupper() for at in (first - 1, first)):
            first -= 1
        return self._which(place) + self.caption[self.spans[first][0] : self.spans[place][1]]

    def _is_in_name(self, place: int) -> bool:
        """Return whether a word belongs to a proper name, such as "Eiffel Tower"."""
        title = [self.caption[start].isupper() for start, _ in self.spans[max(0, place - 1) : place + 2]]
        before = self.caption[: self.spans[place][0]].rstrip()
        return title[min(place, 1)] and (sum(title) > 1 or not (before == "" or before[-1] in '.!?"“'))

    def _is_plural(self, place: int) -> bool:
        return self.words[place] == "people" or singular(self.words[place]) != self.words[place]

    def _after(self, place: int) -> str:
        """Return the word after a noun; "" at the end of its clause."""
        if place + 1 == len(self.words):
            return ""
        gap = self.caption[self.spans[place][1] : self.spans[place + 1][0]]
        return "" if re.search(r"[,.;:!?]", gap) else self.words[place + 1]

    def _lead(self, place: int) -> int | None:
        """Return the index of the first word of the preposition before a noun: "in" of "in front of a flag"."""
        within = range(place - 1, max(-1, place - 1 - REACH), -1)
        last = next((at for at in within if self.words[at] in PREPOSITIONS), None)
        for lead in LEADS if last is not None else ():
            start = last + 1 - len(lead.split()) if last is not None else 0
            if start >= 0 and " ".join(self.words[start : (last or 0) + 1]) == lead:
                return start
        return last

    def _end(self, place: int) -> int | None:
        """Return the end of a noun with the words that depend on it; None if it is part of a compound noun."""
        after, end = self._after(place), self.spans[place][1]
        if after not in PREPOSITIONS:
            is_end = after == "" or after in CLAUSE_ENDS or after.endswith(("ing", "s", "ed"))
            return end if is_end else None
        later = range(place + 1, len(self.words))
        stop = next((self.spans[at][0] for at in later if self.words[at] in CLAUSE_ENDS), len(self.caption))
        mark = re.compile(r"[,.;:!?]").search(self.caption, end)
        return min(stop, mark.start() if mark else stop)

    def _may_go(self, lead: int, place: int, end: int) -> bool:
        """Return whether the caption is still English without the words from a preposition to a noun's dependents."""
        before, first = self.words[lead - 1], self.words[lead]
        after = next((word for word, (start, _) in zip(self.words, self.spans, strict=True) if start >= end), "")
        closes = self.caption[end : end + 1] == ","
        participle = before.endswith(("ed", "set", "hung", "made", "shown", "seen"))
        return not (
            first == "of"  # "of vehicles" must stay in "a number of vehicles"
            or (first in NEEDED_AFTER and participle)
            or (NEEDING_A_PLACE.match(before) and after not in PREPOSITIONS)
            or "," in self.caption[self.spans[lead][0] : self.spans[place][1]]  # a list
            or after in ("and", "or")
            or (closes and not after.endswith("ing") and after not in CLAUSE_ENDS)
            or (not closes and after.endswith(("ing", "ed")))  # not English: "a man standing smiling"
        )

    def _stands_free(self, place: int) -> bool:
        """Return whether the words after a noun also fit another noun: not "bowl of soup" or "baseball pitcher"."""
        after = self._after(place)
        if singular(self.words[place]) in PERSONS:
            return after != "of"
        if after in ("is", "are"):
            return self.words[place + 2 : place + 3] == [] or self.words[place + 2] in POSES | PREPOSITIONS
        return after == "" or (after != "of" and after in PREPOSITIONS | CLAUSE_ENDS | POSES)

    def _other(self, place: int) -> str | None:
        """Return a thing for a noun's place; None if the words before the noun may fit no other noun."""
        noun, before = singular(self.words[place]), self._before(place)
        edge = self.words[place - len(before) - 1] if place > len(before) else ""
        fits = edge in DETERMINERS | SEVERAL | PREPOSITIONS | CLAUSE_ENDS | {""} or edge.endswith(("ing", "s"))
        if not fits or (not self._is_plural(place) and edge not in DETERMINERS):
            return None  # a singular noun without article cannot be counted: "food" in "topped with food"
        if self.nouns.is_a(noun, "person"):
            return self._person(noun, place, before)
        lists = (things for kind, things in KINDS if noun in things or (kind and self.nouns.is_a(noun, kind)))
        return self._absent([thing for thing in next(lists, ()) if thing != noun])

    def _person(self, noun: str, place: int, before: Sequence[str]) -> str | None:
        """Return another person, or an animal if people are in a pose that animals also have."""
        if PRONOUNS & set(self.words):
            return None
        if noun in PERSONS and (person := self._absent(PERSONS)):
            return person
        acts = {word for word in self.words if word.endswith("ing")} - POSES
        after = self._after(place)
        if acts or before or after not in POSES | {"", "is", "are"} or after.startswith(("driv", "park", "travel")):
            return None  # no animal holds a phone or wears a uniform
        return self._absent(ANIMALS[1:])  # not "dog", because horses fit people's activities better

    def _states(self, label: str, at: int, place: int) -> bool:
        """Return whether a label states a noun's colour and no other colour."""
        own = [word for word in label.lower().split() if word in COLOURS]
        return own == [self.words[at]] and self.nouns.is_a(self.words[place], label)
