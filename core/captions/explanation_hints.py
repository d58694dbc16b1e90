"""Find the things that an explanation's sentence names, and where they are.

A thing is in the picture, in the caption, or in neither. Things are found by the labels of the picture's regions, as in
the variant of HICE-S that compares captions with labels. No model weights are needed for this, but only things that
people have annotated can be found.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.captions.labelled_scene import LabelledScene
from core.captions.noun_phrases import NounPhrase
from core.captions.said_presence import Stance

# picture: a region shows the thing; caption: only the caption names the thing; nowhere: neither is true.
# unknown: no region shows the thing, but annotators did not search for such a thing.
Where = Literal["picture", "caption", "nowhere", "unknown"]


@dataclass(frozen=True, slots=True)
class Hint:
    """A thing that a sentence names, and whether it is in the picture or in the caption."""

    start: int  # index of the first character of the noun or of its adjectives and numbers
    end: int  # exclusive
    stance: Stance
    where: Where
    regions: tuple[int, ...] = ()  # indices of the thing's regions among the picture's regions


def hints(named: Iterable[NounPhrase], caption: Iterable[str], scene: LabelledScene) -> tuple[Hint, ...]:
    """Return each thing that a sentence names, and where it is: picture, caption or neither.

    named: the things that the sentence names. caption: the nouns of the caption. scene: the picture's labels. If the
    picture has no labels, the result is empty.
    """
    nouns = tuple(caption)
    if not scene.has_labels:
        return ()
    return tuple(_hint(one, nouns, scene) for one in named)


def _hint(one: NounPhrase, caption: tuple[str, ...], scene: LabelledScene) -> Hint:
    regions = tuple(sorted(scene.regions_of(one.text)))
    where: Where = "unknown"
    if regions:
        where = "picture"
    elif scene.there(one.text) == "incorrect":  # annotators looked for this thing and found none
        where = "caption" if any(scene.same_thing(one.text, noun) for noun in caption) else "nowhere"
    return Hint(one.start, one.end, one.stance, where, regions)
