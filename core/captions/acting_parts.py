"""Parts of a person or animal whose label states an action: a "pointing hand" shows that its owner points."""

from core.captions.labelled_scene import LabelledScene
from core.captions.nouns import AFTER_HEAD
from core.captions.thing_kinds import OWNED, kinds_of
from core.regions.relations import outline


def acting_part(scene: LabelledScene, place: int, action: str) -> int | None:
    """Return the region of a body part that does an action and belongs to a creature.

    A body part belongs to a creature if most of its mask lies within the creature's outline. place: index of the
    creature's region. action: the participle, such as "pointing". Returns None if there is no such part.
    """
    parts = [part for part in stating_parts(scene, action) if part != place]
    owner = outline(scene.regions[place].rle, scene.regions[place].size) if parts and scene.is_living(place) else None
    if owner is None:
        return None
    for part in parts:
        found = outline(scene.regions[part].rle, scene.regions[part].size)
        if found and found.share_covered(owner) >= OWNED:
            return part
    return None


def stating_parts(scene: LabelledScene, action: str) -> list[int]:
    """Return the indices of all body parts whose label states an action: "shouting face"."""
    return [
        place
        for place, label in scene.labels.items()
        if label.lower().split()[0] == action.lower()
        and "body" in kinds_of(label, scene.nouns)
        and not AFTER_HEAD & set(label.lower().split())
    ]
