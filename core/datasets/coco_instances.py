"""COCO instances files: images, annotations with polygons or run lengths, categories.

Source: Lin et al. 2014. These files contain regions of pictures, not samples. core.regions.annotated converts the
annotations to regions.
"""

import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

from core.datasets.base import Source, check_file
from core.datasets.files import json_object, list_under, rows_of
from core.datasets.rows import Row, whole_number
from core.errors import BadFile
from core.regions.annotated import Annotated, AnnotatedRegions, Instance

LONGEST_SIDE = 65_500  # px


def read_annotations(path: Path) -> AnnotatedRegions:
    """Read a COCO instances file (images, annotations, categories). Raises BadFile, BadRow.

    The field "vocabulary" may list the labels that annotators looked for; without it, these are all categories.
    """
    check_file(path)
    source = Source(path)
    document = json_object(source)
    images, annotations, categories = (
        rows_of(source, list_under(source, document, part)) for part in ("images", "annotations", "categories")
    )
    labels = {row.identifier("id"): row.text("name") for row in categories}
    instances: dict[str, list[Instance]] = defaultdict(list)  # key: the image's id
    for row in annotations:
        category = row.identifier("category_id")
        if category not in labels:
            raise row.bad("category_id", "a category of this file", row.get("category_id"))
        is_crowd = bool(whole_number(row.get("iscrowd")))
        instance = Instance(row.number, labels[category], is_crowd, _segmentation(row))
        instances[row.identifier("image_id")].append(instance)
    pictures = {
        row.picture("file_name"): Annotated(
            (row.whole("height", 1, LONGEST_SIDE), row.whole("width", 1, LONGEST_SIDE)),
            tuple(instances.get(row.identifier("id"), ())),
            row.number,
        )
        for row in images
    }
    looked_for = document.get("vocabulary", [*labels.values()])
    if not isinstance(looked_for, list) or not all(isinstance(label, str) and label.strip() for label in looked_for):
        raise BadFile(path, f"vocabulary: must be a list of labels, found {str(looked_for)[:80]!r}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return AnnotatedRegions(f"{path.name}@{digest}", pictures, tuple(looked_for))


def _segmentation(row: Row) -> Any:
    """Return an annotation's polygons or run lengths. Raises BadRow for values of wrong types.

    Whether the numbers fit the picture is checked later, when the mask is made.
    """
    given = row.get("segmentation")
    if isinstance(given, list) and all(
        isinstance(polygon, list) and all(isinstance(number, int | float) for number in polygon) for polygon in given
    ):
        return given
    if isinstance(given, dict) and isinstance(given.get("size"), list):
        counts, size = given.get("counts"), [whole_number(side) for side in given["size"]]
        whole = [whole_number(number) for number in counts] if isinstance(counts, list) else counts
        if None not in size and (isinstance(whole, str) or isinstance(whole, list) and None not in whole):
            return {"counts": whole, "size": size}
    raise row.bad("segmentation", "polygons of numbers, or an object of counts and size", given)
