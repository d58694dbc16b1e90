"""Find bare verbs after a verb of seeing: "sink" in "a girl sees a boat sink".

The parser takes such a verb for a noun. So it gets a participle instead: "a girl sees a boat sitting".
"""

from collections.abc import Callable, Sequence

from core.captions.caption_pieces import Piece
from core.captions.verb_forms import VerbForms
from core.captions.word_splitting import singular

SEEING = frozenset("watch see hear notice observe let make help film spot feel photograph".split())
OPENING = frozenset("a an the his her its their another some two three four five".split())
MOST_BETWEEN = 4  # maximum number of words between the verb of seeing and the seen action
# Words that form a name with a noun before them: "sees a bus stop", "watches a boat race".
NAME_ENDINGS = frozenset(
    "stop stand show race light box bed set top park wash case cover display rack ride track tie point board ring "
    "print drive wheel fight match lift trip tour crash parade dance walk run play shop house seat bag hat lead".split()
)


def is_seen_action(
    pieces: Sequence[Piece], place: int, verbs: VerbForms, is_living: Callable[[str], bool], goes_on: bool
) -> bool:
    """Return whether a bare verb says what a seen thing does. goes_on: whether no noun follows the verb."""
    word, noun = pieces[place].wording, pieces[place - 1].wording if place else ""
    if place < 2 or pieces[place].kind != "word" or verbs.lemma(word) != word or noun in OPENING:
        return False
    before = range(max(0, place - 1 - MOST_BETWEEN), place - 1)
    sees = next((k for k in reversed(before) if verbs.lemma(pieces[k].wording) in SEEING), None)
    if sees is None or not sees or not all(_is_of_noun(pieces[k]) for k in range(sees + 1, place)):
        return False
    is_one = singular(noun) == noun and pieces[sees + 1].wording in OPENING
    may_be_name = is_one and not is_living(noun) and word in NAME_ENDINGS
    return goes_on and not may_be_name and not _is_plain_noun(noun, verbs)


def _is_of_noun(piece: Piece) -> bool:
    is_link = piece.wording in ("and", "or", ",", "to", "that", "who", "which", "in", "on", "at", "of", "is", "are")
    return piece.kind != "preposition" and not is_link


def _is_plain_noun(noun: str, verbs: VerbForms) -> bool:
    """Return whether the word before is no noun but a participle or an adverb."""
    return noun.endswith("ly") or (noun.endswith("ing") and verbs.lemma(noun) is not None)
