"""Replace, by plain words, those words that the parser would misread.

The parser mistakes many verbs for nouns: "a farmer mends a fence", "the queen waves to the crowd". If the neighbouring
words show that a word is a verb, the parser gets a common verb such as "uses" instead. Facts still contain the
caption's own verb.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.captions.caption_pieces import Piece
from core.captions.factual_conventions import ACTORS, ADJECTIVES, BE, COLOURS, ONLY_PREPOSITIONS, VAGUE
from core.captions.verb_forms import VerbForms
from core.captions.word_splitting import singular

IsLiving = Callable[[str], bool]  # whether a noun names a person or an animal

DETERMINERS = frozenset("a an the his her its their another each every some this that one two three four five".split())
OF_ONE = frozenset("a an another each every this that one".split())
SIMPLE_PREPOSITIONS = ONLY_PREPOSITIONS | frozenset(
    "in on at to for from with by of off up down out away around past near after before without about as like".split()
)
PARTICLES = frozenset("up down out off away".split())
LINKS = frozenset("and or but nor while when because as where if though although before after then , ; : .".split())
CLAUSE_LINKS = frozenset("while when because as although until".split())
PRONOUNS = frozenset("it him her them himself herself itself themselves me us you something nothing".split())
SUBJECTS = frozenset("he she it who which that nobody someone somebody everyone".split())
AUXILIARIES = BE | frozenset(
    "has have had do does did can could will would may might must not n't ca wo sha cannot".split()
)
CLOSED = DETERMINERS | SIMPLE_PREPOSITIONS | LINKS | PRONOUNS | SUBJECTS | AUXILIARIES | {"there", "no", "neither"}
MOVING_THINGS = frozenset(
    "sun moon wind rain snow smoke cloud fog mist wave star".split()
)  # lifeless things that can be the subject of verbs of action
LIKE_PAST = frozenset("put cut hit set let shut spread read".split())  # verbs whose past form equals their plain form
NO_NOUNS = frozenset("full open empty dry clean clear free bare devoid bereft".split())
# Key: word that the parser misreads; value: the word that it gets instead.
PLAIN_AUXILIARIES = {"ca": "does", "cannot": "will"}
NEVER_VERBS = frozenset(
    "sports clothes glasses news sales goods stairs jeans shorts skis series lens bus dress grass glass class boss "
    "chess cross mess press pass as is its his this has was".split()
)
PERSON_ENDINGS = ("keeper", "player", "striker", "ist", "tress", "man", "woman", "person", "child")


def with_plain_verbs(pieces: Sequence[Piece], verbs: VerbForms, is_living: IsLiving) -> tuple[Piece, ...]:
    """Replace, by plain verbs, those verbs that the parser may mistake for nouns.

    In the same way, a noun that the parser may mistake for a verb is replaced by the plain noun "box".
    """
    found = []
    for place, piece in enumerate(pieces):
        if piece.wording in PLAIN_AUXILIARIES and piece.kind == "word":
            found.append(replace(piece, seen=PLAIN_AUXILIARIES[piece.wording]))
        elif _is_other_one(pieces, place + 1, verbs):
            found.append(replace(piece, seen="man"))
        elif not place and _is_plural_subject(pieces, verbs, is_living):
            found.append(replace(piece, seen="people"))
        elif _is_verb(pieces, place, verbs, is_living):
            found.append(replace(piece, seen=_plain_verb(pieces, place)))
        else:
            found.append(replace(piece, seen="box") if _is_noun(pieces, place, verbs, is_living) else piece)
    return tuple(found)


def _is_other_one(pieces: Sequence[Piece], place: int, verbs: VerbForms) -> bool:
    """Return whether a verb follows "the other" without a noun: "one dog sleeps and the other plays"."""
    if not 1 < place < len(pieces) or (pieces[place - 2].wording, pieces[place - 1].wording) != ("the", "other"):
        return False
    has_one = any(piece.wording == "one" for piece in pieces[: place - 2])
    is_third = _is_third_person(pieces[place].wording, verbs) and _ends_or_goes_on(pieces, place)
    return pieces[place].wording in BE or (has_one and is_third)


def _is_plural_subject(pieces: Sequence[Piece], verbs: VerbForms, is_living: IsLiving) -> bool:
    """Return whether the first word names persons, although it is also a form of a verb: "twins ride a horse"."""
    word, after = pieces[0].wording, _next(pieces, 0)
    if pieces[0].kind != "word" or not is_living(word) or not _is_third_person(word, verbs):
        return False
    return verbs.lemma(after) == after or after in BE


def _is_noun(pieces: Sequence[Piece], place: int, verbs: VerbForms, is_living: IsLiving) -> bool:
    """Return whether a word that could be a verb is instead the last word of a thing's name.

    Example: "stand" in "a microphone stand".
    """
    word = pieces[place].wording
    if place < 2 or pieces[place].kind != "word" or word in LIKE_PAST | NO_NOUNS | CLOSED or verbs.lemma(word) != word:
        return False
    noun, (opens, before) = pieces[place - 1], _opening(pieces, place)
    is_one = (
        before != "and"
        and opens in ("a", "an")
        and noun.kind in ("word", "thing")
        and noun.wording not in CLOSED | COLOURS | VAGUE
    )
    return is_one and not _living(noun.wording, is_living) and _ends_or_goes_on(pieces, place)


def _is_verb(pieces: Sequence[Piece], place: int, verbs: VerbForms, is_living: IsLiving) -> bool:
    """Return whether the words before and after a word show that it is a finite verb."""
    word, before = pieces[place].wording, pieces[place - 1] if place else None
    if before is None or pieces[place].kind != "word" or word in NEVER_VERBS | CLOSED:
        return False
    if verbs.lemma(word) in (None, "be", "have", "do"):
        return False
    noun = before.wording
    if noun == "whose":
        return False
    if _is_other_one(pieces, place, verbs):
        return True
    if before.kind == "preposition" or before.kind == "measure" or noun in CLOSED - SUBJECTS:
        return _continues(pieces, place, verbs)
    if noun.endswith("ed") and place > 2 and pieces[place - 3].wording in ("his", "her", "its", "their"):
        return _is_third_person(word, verbs) and _ends_or_goes_on(pieces, place)  # a verb: "leans" after "arms crossed"
    if noun in ADJECTIVES | VAGUE | NO_NOUNS or noun.endswith("ed") or (noun.endswith("ing") and verbs.lemma(noun)):
        return False
    if noun in SUBJECTS:
        return noun not in ("that", "which", "it") and _is_third_person(word, verbs)
    if _is_third_person(word, verbs):
        if is_living(word) and _next(pieces, place) not in DETERMINERS | PRONOUNS:
            return False  # a living thing without an object: "cows" is no verb in "baby cows playing"
        return singular(noun) == noun and _is_subject_of_one(pieces, place, is_living)
    is_base = verbs.lemma(word) == word
    measure = pieces[place - 2] if place > 1 else before
    if is_base and measure.kind == "measure" and singular(measure.wording) != measure.wording:
        return _ends_or_goes_on(pieces, place)  # the plural "slices" is the subject in "slices of melon float in water"
    several = singular(noun) != noun or noun in ("people", "men", "women", "children", "police")
    if not (is_base and several and _living(noun, is_living)):
        return False
    after = _next(pieces, place)
    starts = place == 1 and singular(after) != after  # a plural follows: "load" is a verb in "Workers load crates"
    return (starts or _ends_or_goes_on(pieces, place)) and _opening(pieces, place)[1] in LINKS | {""}


def _is_third_person(word: str, verbs: VerbForms) -> bool:
    return word.endswith("s") and not word.endswith("ss") and verbs.lemma(word) != word


def _is_subject_of_one(pieces: Sequence[Piece], place: int, is_living: IsLiving) -> bool:
    """Return whether the words before a word name one actor (a possible subject).

    Returns False if the word itself may belong to this name.
    """
    opens, before = _opening(pieces, place)
    noun = pieces[place - 1]
    if noun.kind == "name" or _living(noun.wording, is_living):
        return True
    if opens in OF_ONE:
        return _ends_or_goes_on(pieces, place)
    if opens in DETERMINERS and before in CLAUSE_LINKS and _ends_or_goes_on(pieces, place):
        return True  # "as" starts a clause, so "train" is a subject in "as the train arrives, people wave"
    return opens in DETERMINERS and _next(pieces, place) in DETERMINERS | PRONOUNS


def _opening(pieces: Sequence[Piece], place: int) -> tuple[str, str]:
    """Return the article or determiner of the noun before a word, and the word before that article.

    If the noun has no article, returns "" and the word before the noun.
    """
    first = place - 1
    while first and pieces[first - 1].wording not in CLOSED and pieces[first - 1].kind in ("word", "thing", "name"):
        first -= 1
    opens = pieces[first - 1].wording if first else ""
    if opens not in DETERMINERS:
        return "", opens
    before = first - 3 if first > 1 and pieces[first - 2].kind == "measure" else first - 2  # skip a measure: "two of"
    return opens, pieces[before].wording if before >= 0 else ""


def _continues(pieces: Sequence[Piece], place: int, verbs: VerbForms) -> bool:
    """Return whether a word is the second of two joined verbs.

    The word must follow "and", "then" or "but". Example: "kicks" in "jumps up and kicks the ball".
    """
    if pieces[place - 1].wording not in ("and", "then", "but") or _next(pieces, place) not in DETERMINERS | PRONOUNS:
        return False
    return _is_third_person(pieces[place].wording, verbs)


def ends_like_person(noun: str) -> bool:
    """Return whether a noun ends like a word for a person: "goalkeeper" ends with "keeper"."""
    return singular(noun.split()[-1]).endswith(PERSON_ENDINGS)


def _living(noun: str, is_living: IsLiving) -> bool:
    return singular(noun) in ACTORS | MOVING_THINGS or is_living(noun)


def _next(pieces: Sequence[Piece], place: int) -> str:
    return pieces[place + 1].wording if place + 1 < len(pieces) else ""


def _ends_or_goes_on(pieces: Sequence[Piece], place: int) -> bool:
    """Return whether the word at `place` must be the last word of a name.

    It is the last word if nothing follows it, or if a preposition, an article or a similar word follows.
    """
    after = pieces[place + 1] if place + 1 < len(pieces) else None
    return after is None or after.kind == "preposition" or after.wording in CLOSED or after.wording.endswith("ly")


def _plain_verb(pieces: Sequence[Piece], place: int) -> str:
    """Return the common verb that replaces a verb for the parser.

    It is "uses" if an object follows, and "sits" if nothing or a preposition follows. Other common verbs are "picks"
    and "holds". The ending "s" is added only if the original verb has it.
    """
    after, ending = _next(pieces, place), "s" if pieces[place].wording.endswith("s") else ""
    if after in PARTICLES and place + 2 < len(pieces) and pieces[place + 2].wording in DETERMINERS:
        return f"pick{ending}"
    ends = after == "" or after in LINKS | SIMPLE_PREPOSITIONS or after.endswith("ly")
    ends = ends or (place + 1 < len(pieces) and pieces[place + 1].kind == "preposition")
    if ends:
        return f"sit{ending}"
    return f"use{ending}" if after in DETERMINERS | PRONOUNS else f"hold{ending}"
