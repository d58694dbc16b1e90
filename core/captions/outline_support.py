"""Decide whether the outlines of a picture's regions support a relation that a caption states."""

from collections.abc import Iterable

from core.captions.facts import Fact
from core.captions.labelled_scene import LabelledScene
from core.captions.word_splitting import singular
from core.regions import relations
from core.regions.stated_relations import relation

HELD_PERSONS = frozenset("baby child kid infant toddler".split())  # persons whom others may hold


def why_related(scene: LabelledScene, fact: Fact, place: int, others: Iterable[int]) -> str | None:
    """Return why regions' outlines support the relation that a fact states.

    place: index of the first region of the relation. others: indices of the regions that may be its second region.
    The relation must hold for one of them; "left" and "right" must hold for all of them. Returns a reason in words,
    or None if no outlines support the relation.
    """
    stated = relation(fact.predicate)
    if stated == "hold" and singular(fact.object) in HELD_PERSONS:
        stated = "have"
    if stated is None:
        return None
    if stated == "beside" and fact.predicate.endswith("against") and scene.is_backdrop(fact.object):
        stated = "in front of"
    found = (_pair_holds(scene, stated, place, other) for other in others if other != place)
    if stated not in ("left", "right"):
        return next((words for words in found if words), None)
    sides = list(found)
    return sides[0] if sides and all(sides) else None  # a bus between two men is not to the left of both


def _pair_holds(scene: LabelledScene, stated: str, place: int, other: int) -> str | None:
    """Return why outlines support a relation between two regions; None if they do not show it."""
    if not scene.may_relate(stated, place, other):
        return None
    rule = scene.relation_of(stated, place, other)
    return relations.holds(rule, scene.regions[place], scene.regions[other])
