"""Whether a noun's thing is only wanted, thought of or far away: "dreams of a car", "on the way to the train".

The rules read the caption's words around the noun. They need no syntax tree.
"""

from collections.abc import Sequence

from core.captions.nouns import NounTable
from core.captions.word_groups import before_articles, governor
from core.captions.word_splitting import Word, singular


def _forms(verbs: str) -> frozenset[str]:
    """Return regular forms of verbs: "want", "wants", "wanted", "wanting"."""
    return frozenset(form for verb in verbs.split() for form in _forms_of(verb))


def _forms_of(verb: str) -> tuple[str, ...]:
    stem = verb[:-1] if verb.endswith("e") else verb
    third = f"{verb}es" if verb.endswith(("sh", "ch")) else f"{verb}s"
    return verb, third, f"{stem}ed", f"{stem}ing"


# Verbs whose object need not be there.
WANTING = _forms("want desire imagine imitate mimic need order request remember crave demand discuss") | frozenset(
    "mimicked mimicking envision envisions impersonates impersonating".split()
)
# Verbs before "of", "about", "for" or "to" and a thing that need not be there.
THINKING = _forms("dream talk learn sing wish hope ask long daydream worry wonder speak write search look wait") | (
    frozenset("thinks think thinking thought reads reading read afraid scared speaks tells telling dreamt".split())
)
PLANNING = _forms("plan hope wish intend pretend") | {"intends", "plans", "planning"}
ABOUT = frozenset("of about for".split())
WAYS = frozenset("way road path trip journey".split())  # "on the way to the train"


def is_imagined(found: Sequence[Word], start: int, last: int, table: NounTable) -> bool:
    """Return whether a caption names a thing without saying that it is there.

    The thing may be wanted, imitated or thought of: "wants to ride a horse", "dreams of a car". It may be a goal or
    means of travel: "on the way to the train", "by train". It may follow "for": "settings for seven people".

    found: the caption's words. start, last: indices of the first and last word of the noun's group.
    """
    if (first := before_articles(found, start)) >= 0 and found[first].text == "for":
        return True  # "settings for seven people"
    place = governor(found, start)
    if place < 1:
        return False
    word, before = found[place].text, found[place - 1].text
    if before == "to" and place > 1 and found[place - 2].text in WANTING | PLANNING:
        return True  # "wants to ride a horse"
    if word in WANTING or (word in ABOUT and before in THINKING):
        return True
    if word == "to" and before in WAYS:
        return "on" in {one.text for one in found[max(0, place - 4) : place - 1]}
    return word == "by" and place == start - 1 == last - 1 and _is_means(found[last].text, table)


def _is_means(noun: str, table: NounTable) -> bool:
    """Return whether a noun without article after "by" is how somebody travels: "by train"."""
    is_vehicle = any(table.naming(noun, kind, likeliest=True) == "is" for kind in ("vehicle", "bicycle", "boat"))
    return singular(noun) == noun and (is_vehicle or noun in ("bike", "boat", "train", "plane", "car", "horse"))
