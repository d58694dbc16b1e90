"""Whether two things that a caption names are certainly two different creatures: "a man and a woman"."""

from collections.abc import Collection, Sequence

from core.captions.labelled_scene import LabelledScene
from core.captions.noun_context import NounInContext
from core.captions.phrases import CaptionPhrase, NamedThing

Things = tuple[NamedThing, NamedThing]


def are_apart(
    things: Things,
    contexts: tuple[NounInContext, NounInContext],
    named: tuple[Collection[int], Collection[int]],
    scene: LabelledScene,
    phrases: Sequence[CaptionPhrase],
) -> bool:
    """Return whether two things are two different creatures, so that each has a region of its own.

    They are if one of them cannot have the other's name, or if the caption relates them: "a man looks at a skier".
    contexts: the nouns of both things. named: the indices of the regions that each noun names.
    """
    if any(context.amount != 1 or context.is_doubtful or context.is_whole for context in contexts):
        return False
    shared = set(named[0]) & set(named[1])
    if not shared or any(not scene.is_living(place) or scene.is_several(place) for place in shared):
        return False
    is_plain = any(scene.has_own_label(context.noun, place) for context in contexts for place in shared)
    if not is_plain and not scene.same_thing(contexts[0].noun, contexts[1].noun):
        return True
    is_same_noun = is_plain and things[0].text == things[1].text  # "another dog" has its own rule
    return not is_same_noun and _are_related(things, phrases)


def _are_related(things: Things, phrases: Sequence[CaptionPhrase]) -> bool:
    return things[0].span != things[1].span and any(
        phrase.kind == "relation" and set(things) == set(phrase.things) for phrase in phrases
    )
