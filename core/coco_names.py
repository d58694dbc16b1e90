"""COCO's names of pictures: COCO_val2014_000000391895.jpg and 000000391895.jpg are the same picture."""

import re
from pathlib import PurePosixPath

_STEM = re.compile(r"(?:COCO_(?:train|val|test)20[0-9]{2}_)?([0-9]{12})", re.ASCII)


def coco_number(name: str) -> int | None:
    """Return a picture's number in COCO, from its name with or without an ending; None for other names.

    COCO's sets of all years share their numbers: a picture keeps its number when it moves to another set.
    """
    found = _STEM.fullmatch(PurePosixPath(name).stem)
    return int(found[1]) if found else None
