"""Addresses of COCO's pictures, from their names or from the `coco_url` in COCO's own files."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from core.datasets.base import Source, ignore_progress, raise_bad
from core.datasets.coco import list_under
from core.datasets.files import json_object
from core.datasets.rows import Row
from core.picture_names import file_name

HOST = "images.cocodataset.org"
COCO = f"http://{HOST}"  # http, because the host has no certificate of its own
_OF_2014 = re.compile(r"COCO_((?:train|val|test)2014)_[0-9]{12}\.jpg", re.ASCII)
_OF_2017 = re.compile(r"[0-9]{12}\.jpg", re.ASCII)
_PATH = re.compile(r"/(?:train|val|test|unlabeled)20[0-9]{2}/[A-Za-z0-9_]+\.jpg", re.ASCII)


def picture_paths(name: str) -> tuple[str, ...]:
    """Return the paths that a picture may have on COCO's server; () if the name is not from COCO.

    A name from 2017 has two possible paths, because it does not show whether the picture is in val2017 or train2017.
    """
    of_2014 = _OF_2014.fullmatch(name)
    if of_2014:
        return (f"/{of_2014[1]}/{name}",)
    return (f"/val2017/{name}", f"/train2017/{name}") if _OF_2017.fullmatch(name) else ()


def coco_url_paths(file: Path) -> dict[str, str]:
    """Return the path of each picture on COCO's server, by name, from a COCO file.

    Reads the field `coco_url` of the file's images, for example in captions_val2017.json. Raises BadFile, and BadRow
    for a `coco_url` on another server.
    """
    source = Source(file, raise_bad, ignore_progress)
    found = {}
    for number, entry in enumerate(list_under(source, json_object(source), "images"), start=1):
        row = Row(file, number, {"images": entry}).nested("images")
        parts = urlsplit(row.text("coco_url"))
        if parts.netloc != HOST or parts.scheme not in ("http", "https") or not _PATH.fullmatch(parts.path):
            raise row.bad("coco_url", f"an address of a picture at {COCO}", row.get("coco_url"))
        found[file_name(row.text("file_name"))] = parts.path
    return found
