"""Suggested edits of a caption of an annotated picture: omit, add or exchange an object.

The edits use only the caption's words and the labels of the picture's regions. No human judgements are needed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.captions.language import may_be_english
from core.captions.natural_exchanges import (
    CLAUSE_ENDS,
    DETERMINERS,
    PREPOSITIONS,
    SEVERAL,
    CaptionWord,
    Exchange,
    caption_words,
    exchange,
)
from core.captions.nouns import NounTable
from core.captions.number_agreement import agreeing
from core.captions.replacements import exchanged, replace_parts
from core.captions.word_forms import article, plural
from core.captions.word_splitting import singular

Kind = Literal["leave out", "add", "exchange"]
LEADS = frozenset({("in", "front", "of"), ("on", "top", "of"), ("next", "to"), ("close", "to"), ("in", "back", "of")})
# Verbs that need a place or another word after them: nobody writes a caption such as "people stand" or "a cat is".
NEEDING_A_PLACE = frozenset(
    "stand stands standing stood sit sits sitting seated sat lie lies lying lay lays laying hang hangs hanging hung "
    "rest rests resting lean leans leaning perch perches perched perching wait waits waiting look looks looking is are "
    "was were".split()
)
NOT_ADJECTIVES = DETERMINERS | SEVERAL | PREPOSITIONS | CLAUSE_ENDS
REACH = 4  # maximum number of words between a preposition and its noun
ADDED = ("dog", "bicycle", "umbrella", "horse", "boat", "cat")
BESIDE = re.compile(r"\b(?:next to|beside|near)\b", re.IGNORECASE)
NEEDED_AFTER = frozenset("with by in on as into".split())  # after a participle, these must stay: "topped with"
NEEDED = "ing", "ed", "set", "hung", "made", "shown", "seen"


@dataclass(frozen=True, slots=True)
class Trial:
    """A suggested edit of a caption, for people who try a metric."""

    kind: Kind
    words: str  # the button's label, which says what the edit does
    caption: str  # the edited caption


def trials(caption: str, labels: Sequence[str], vocabulary: Sequence[str], nouns: NounTable) -> tuple[Trial, ...]:
    """Return at most one suggested edit of each kind.

    Returns () if the caption names no label or does not look English. labels: the names of the picture's regions.
    vocabulary: the objects that annotators looked for. Only for these objects is it known whether they are absent from
    a picture.
    """
    if not may_be_english(caption):
        return ()
    words = caption_words(caption)
    naming = [place for place, word in enumerate(words) if _names_any(word.text, labels, nouns)]
    named = [place for place in naming if place + 1 not in naming]  # places of names' last words: "bus" in "city bus"
    absent = _Absent(caption, labels, vocabulary, nouns)
    match = (
        _without(caption, words, named),
        _with_more(caption, named, absent),
        _exchanged(caption, words, exchange(caption, words, named, labels, absent.first, nouns)),
    )
    return tuple(replace(trial, caption=agreeing(trial.caption)) for trial in match if trial is not None)


class _Absent:
    """Objects that are certainly not in the picture, and not named in the caption."""

    def __init__(self, caption: str, labels: Sequence[str], vocabulary: Sequence[str], nouns: NounTable) -> None:
        self._said = {singular(word) for word in re.findall(r"\w+", caption.lower())}
        self._labels, self._vocabulary, self.nouns = labels, vocabulary or labels, nouns

    def first(self, things: Sequence[str]) -> str | None:
        return next((thing for thing in things if thing not in self._said and self._is_known_to_be(thing)), None)

    def _is_known_to_be(self, thing: str) -> bool:
        there = any(self.nouns.naming(thing, label) in ("is", "wider") for label in self._labels)
        return not there and any(self.nouns.naming(thing, kind, likeliest=True) == "is" for kind in self._vocabulary)


def _names_any(word: str, labels: Sequence[str], nouns: NounTable) -> bool:
    if word.lower() in PREPOSITIONS | CLAUSE_ENDS:
        return False
    return any(nouns.naming(word, label, likeliest=True) in ("is", "wider") for label in labels)


def _without(caption: str, words: Sequence[CaptionWord], named: Sequence[int]) -> Trial | None:
    """Remove the last object that the caption names, with its preposition and all words that depend on it."""
    for place in reversed(named):
        lead = _lead(words, place)
        end = _end(caption, words, place)
        if lead and end is not None and _may_go(caption, words, lead, place, end):  # lead 0: no words stand before it
            left = f"{caption[: words[lead].start].rstrip()}{_joined(caption[end:])}"
            return Trial("leave out", f"leave out “{_whole_name(caption, words, place)}”", left)
    return None


def _may_go(caption: str, words: Sequence[CaptionWord], lead: int, place: int, end: int) -> bool:
    """Return whether a caption is still English after some words are removed.

    The removed words are those from a preposition to the end of its noun's dependents. lead, place: indices of the
    preposition's first word and of the noun. end: position after the last removed character.
    """
    before, first = words[lead - 1].text.lower(), words[lead].text.lower()
    after = next((word.text.lower() for word in words if word.start >= end), "")
    is_amount = first == "of"  # "of vehicles" must stay in "a number of vehicles"
    is_needed = first in NEEDED_AFTER and before.endswith(NEEDED) and not before.endswith("ing")
    is_bare = before in NEEDING_A_PLACE and after not in PREPOSITIONS  # "people stand" needs more words after it
    is_list = "," in caption[words[lead].start : words[place].end] or after in ("and", "or")
    stays_open = caption[end : end + 1] == "," and not after.endswith("ing") and after not in CLAUSE_ENDS
    collides = after.endswith(("ing", "ed")) and caption[end : end + 1] != ","  # not English: "a man standing smiling"
    return not (is_amount or is_needed or is_bare or is_list or stays_open or collides)


def _whole_name(caption: str, words: Sequence[CaptionWord], place: int) -> str:
    """Return a word, or the whole proper name that ends with it: "flag", or "Eiffel Tower" for "Tower".

    If the caption has the word twice, the adjectives before it are returned too: "grey-haired man".
    """
    first = place
    while first and all(word.text[0].isupper() for word in words[first - 1 : first + 1]):
        first -= 1
    return f"{_which(words, place)}{caption[words[first].start : words[place].end]}"


def _which(words: Sequence[CaptionWord], place: int) -> str:
    """Return the adjectives before a noun that the caption contains repeatedly.

    Each adjective is followed by a space. Returns "" if the caption contains the noun only once.
    """
    noun = singular(words[place].lower)
    if sum(singular(word.lower) == noun for word in words) < 2:
        return ""
    first = next((at for at in range(place, max(0, place - REACH), -1) if words[at - 1].lower in NOT_ADJECTIVES), place)
    return "".join(f"{word.text} " for word in words[first:place])


def _lead(words: Sequence[CaptionWord], place: int) -> int | None:
    """Return the index of the first word of the preposition before a noun: "in" of "in front of a flag"."""
    within = range(place - 1, max(0, place - 1 - REACH), -1)
    last = next((at for at in within if words[at].text.lower() in PREPOSITIONS), None)
    if last is None:
        return None
    for lead in LEADS:
        start = last + 1 - len(lead)
        if start >= 0 and tuple(word.text.lower() for word in words[start : last + 1]) == lead:
            return start
    return last


def _end(caption: str, words: Sequence[CaptionWord], place: int) -> int | None:
    """Return the end position of a noun with its dependents (the words that depend on it).

    Returns None if the noun is only part of a compound noun.
    """
    if place + 1 == len(words) or re.search(r"[,.;:!?]", caption[words[place].end : words[place + 1].start]):
        return words[place].end
    if words[place + 1].text.lower() not in PREPOSITIONS:
        return (
            words[place].end
            if words[place + 1].text.lower() in CLAUSE_ENDS or _is_verb(words[place + 1].text)
            else None
        )
    rest = words[place + 1 :]
    stop = next((word for word in rest if word.text.lower() in CLAUSE_ENDS), None)
    punctuation = re.search(r"[,.;:!?]", caption[words[place].end :])
    ends = [
        stop.start if stop else len(caption),
        words[place].end + punctuation.start() if punctuation else len(caption),
    ]
    return min(ends)


def _is_verb(word: str) -> bool:
    return word.lower().endswith(("ing", "s", "ed"))


def _with_more(caption: str, named: Sequence[int], absent: _Absent) -> Trial | None:
    """Add an object that is not in the picture."""
    thing = absent.first(ADDED)
    if not named or thing is None:
        return None
    end = re.search(r"(?<![\s.!?])[\s.!?]*+\Z", caption)
    body = caption[: end.start()] if end else caption
    added = f"{article(thing)} {thing}"
    more = f"with {added} nearby" if BESIDE.search(caption) else f"next to {added}"
    return Trial("add", f"add {article(thing)} {thing}", f"{body} {more}{caption[len(body) :].strip()}")


def _exchanged(caption: str, words: Sequence[CaptionWord], found: Exchange | None) -> Trial | None:
    if found is None:
        return None
    word, other = found.word, plural(found.other) if found.is_plural else found.other
    changed = replace_parts(caption, exchanged(caption, word.start, word.end, other)).caption
    which = _which(words, words.index(word)) if word in words else ""
    return Trial("exchange", f"“{which}{word.text}” → “{which}{other}”", changed)


def _joined(rest: str) -> str:
    """Return the text after a removed part, so that it can directly follow the text before the part.

    The result begins with a space, unless it begins with a punctuation mark.
    """
    rest = rest.lstrip()
    return rest if not rest or re.match(r"[,.;:!?]", rest) else f" {rest}"
