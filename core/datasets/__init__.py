"""The files that can be imported: FORMATS, every format, in display order.

A newcomer adds a format with one file here and one line in FORMATS.
"""

import difflib

from core.datasets.base import Format, OnBad, OnProgress, Record, raise_bad
from core.datasets.coco_captions import COCO_CAPTIONS
from core.datasets.composite import COMPOSITE
from core.datasets.expert_results import EXPERT_RESULTS
from core.datasets.fleur_results import FLEUR_RESULTS
from core.datasets.flickr8k import FLICKR8K_CF, FLICKR8K_EXPERT
from core.datasets.foil import FOIL_TEST
from core.datasets.nebula import NEBULA
from core.datasets.own_csv import CSV
from core.datasets.own_jsonl import JSONL
from core.datasets.pascal50s import PASCAL50S
from core.datasets.pictures import ImageIndex, find_images
from core.datasets.polaris import POLARIS
from core.datasets.polaris_exp import NEBULA_EXP, POLARIS_EXP
from core.errors import NotFound
from core.types import Pair

__all__ = [
    "FORMATS",
    "Format",
    "ImageIndex",
    "OnBad",
    "OnProgress",
    "Pair",
    "Record",
    "find_images",
    "format_named",
    "raise_bad",
]

FORMATS: tuple[Format, ...] = (
    JSONL,
    CSV,
    POLARIS_EXP,
    NEBULA_EXP,
    FLICKR8K_EXPERT,
    FLICKR8K_CF,
    COMPOSITE,
    PASCAL50S,
    FOIL_TEST,
    COCO_CAPTIONS,
    POLARIS,
    NEBULA,
    FLEUR_RESULTS,
    EXPERT_RESULTS,
)


def format_named(name: str) -> Format:
    """Return the format of that name. Raises NotFound, which names the closest one and lists them all."""
    names = [known.name for known in FORMATS]
    if name in names:
        return FORMATS[names.index(name)]
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise NotFound(f"there is no format {name!r}.{hint} There are: {', '.join(names)}")
