"""COCO's picture names: COCO_val2014_000000391895.jpg and 000000391895.jpg are the same picture."""

import re
from pathlib import PurePosixPath

_STEM = re.compile(r"(?:COCO_(?:train|val|test)20[0-9]{2}_)?([0-9]{12})", re.ASCII)


def coco_number(name: str) -> int | None:
    """Return a picture's COCO number from its name, with or without a file extension.

    Returns None for other names. COCO's data sets of all years use the same numbers, so a picture has the same number
    in every set.
    """
    found = _STEM.fullmatch(PurePosixPath(name).stem)
    return int(found[1]) if found else None
