"""Decide whether labels show what a person is: a label "person" shows no astronaut.

A noun such as "astronaut" or "nurse" names a role. It refers to a labelled person, so the person counts as mentioned.
But the role is supported only by a label with this noun, or by the role's equipment: a person and a surfboard show a
surfer.
"""

from functools import lru_cache

from core.captions.nouns import NounTable, head
from core.captions.word_splitting import singular

# Words for any person. Annotators label a boy and a woman as "person", so these words need no label of their own.
ANYBODY = frozenset(
    "person people human individual adult man woman guy lady gentleman male female dude couple pair group crowd family "
    "someone somebody anybody anyone nobody he she they him her them one other another figure pedestrian "
    "passerby".split()
)
YOUNG = frozenset(
    "boy girl child kid baby infant toddler youth teenager".split()
)  # young people, to whom annotators may give any label of a person except "man" and "woman"
GROWN = frozenset({"man", "woman"})
# Words that say more than "person". Annotators may give the label "person" to people of any sex and age.
SEX_OR_AGE = YOUNG | GROWN | frozenset("guy lady gentleman male female dude adult".split())
KEPT_ROLES = 4096  # maximum number of cached results of is_unsupported_role
EQUIPMENT = {
    "surfer": "surfboard", "skier": "skis", "snowboarder": "snowboard", "skateboarder": "skateboard",
    "skater": "skateboard", "cyclist": "bicycle", "bicyclist": "bicycle", "biker": "bicycle|motorcycle",
    "motorcyclist": "motorcycle", "rider": "horse|bicycle|motorcycle|elephant|surfboard", "jockey": "horse",
    "equestrian": "horse", "horseman": "horse", "horsewoman": "horse", "shepherd": "sheep|goat",
    "batter": "baseball bat", "hitter": "baseball bat", "catcher": "baseball glove|baseball bat",
    "pitcher": "baseball glove|sports ball", "umpire": "baseball glove|baseball bat",
    "player": "tennis racket|sports ball|baseball bat|baseball glove|frisbee",
    "boarder": "snowboard|skateboard|surfboard",
    "driver": "car|bus|truck|train|motorcycle", "diner": "dining table|plate", "boater": "boat", "sailor": "boat",
    "rower": "boat", "kayaker": "boat", "motorist": "car", "goalie": "sports ball", "goalkeeper": "sports ball",
    "outfielder": "baseball glove", "infielder": "baseball glove", "fielder": "baseball glove",
    "windsurfer": "surfboard", "pedaler": "bicycle",
}  # fmt: skip  # key: role; value: objects, of which any one shows that a person has this role


# Roles that a vehicle or an animal shows only if the person is at it: a bicycle elsewhere shows no cyclist. Key: role;
# value: the relation of outlines that must hold between the person and the vehicle or animal.
AT_EQUIPMENT = {"driver": "drive", "motorist": "drive"} | dict.fromkeys(
    "cyclist bicyclist biker motorcyclist rider jockey equestrian horseman horsewoman pedaler boater sailor rower "
    "kayaker".split(),
    "beside",
)
# Words for people who belong together. The label "person" shows people, but not that they belong together.
BELONGING = frozenset("family team crew staff squad orchestra band class".split())
PLAIN_NAMES = {"lady": "woman", "gal": "woman", "guy": "man", "dude": "man", "gentleman": "man", "fellow": "man"}


def relation_to_equipment(noun: str) -> str | None:
    """Return the relation of outlines that a person must have to the equipment of a role; None: any or no relation."""
    return AT_EQUIPMENT.get(singular((noun.lower().split() or [""])[-1]))


def names_role(noun: str, nouns: NounTable) -> bool:
    """Return whether a noun states more about persons than sex or age.

    Examples: yes for "astronaut" and "crowd", no for "man" and for nouns that name no person.
    """
    own = singular((noun.lower().split() or [""])[-1])
    return own not in SEX_OR_AGE and nouns.naming(noun, "person") == "is"


@lru_cache(maxsize=KEPT_ROLES)  # cached, because the phrases of a caption name the same things
def is_unsupported_role(noun: str, named: tuple[str, ...], labels: tuple[str, ...], nouns: NounTable) -> bool:
    """Return whether a noun names a person's role that no label shows.

    named: labels of the regions to which the noun may refer. labels: all labels of the picture.
    """
    own = singular((noun.lower().split() or [""])[-1])
    if own in ANYBODY or nouns.naming(own, "person", likeliest=True) != "is":
        return False
    if any(nouns.same(noun, label) or nouns.naming(head(label), noun) == "is" for label in named):
        return False
    if own in YOUNG:
        return all(singular(head(label).split()[-1]) in GROWN for label in named)
    tools = EQUIPMENT.get(own, "").split("|")
    return not any(tool and nouns.same(tool, label) for tool in tools for label in labels)
