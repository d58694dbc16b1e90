"""Where the things are that a sentence of an explanation names: on the picture, only in its caption, or nowhere.

By labels of regions, as HICE-S by labels goes by them: no weights, and no more known than what people have annotated.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.captions.labelled_scene import LabelledScene
from core.captions.mention_status import Stance
from core.captions.noun_phrases import NounPhrase

# caption: it names the thing, and no region does; unknown: no region does, but nobody looked for such things either
Where = Literal["picture", "caption", "nowhere", "unknown"]


@dataclass(frozen=True, slots=True)
class Hint:
    """A thing that a sentence names, and where it was found."""

    start: int  # characters of the text; adjectives and numbers before the noun included
    end: int  # exclusive
    stance: Stance
    where: Where
    regions: tuple[int, ...] = ()  # places among the picture's regions of those that it names


def hints(named: Iterable[NounPhrase], caption: Iterable[str], scene: LabelledScene) -> tuple[Hint, ...]:
    """Return where each thing is that a sentence names.

    caption: the nouns of the caption; scene: the picture's labels. Without any label nothing can be said: none then.
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
    elif scene.looked_for(one.text):  # else it may well be there without a region
        where = "caption" if any(scene.same_thing(one.text, noun) for noun in caption) else "nowhere"
    return Hint(one.start, one.end, one.stance, where, regions)
