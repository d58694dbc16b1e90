"""COCO instances files: images, annotations with polygons or run lengths, categories.

Source: Lin et al. 2014. These files contain regions of pictures, not samples. core.regions.annotated converts the
annotations to regions.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from core.datasets.base import check_file
from core.datasets.files import read_json
from core.errors import BadFile, BadRow
from core.regions.annotated import Annotated, AnnotatedRegions, Instance

LONGEST_SIDE = 65_500  # px


def read_annotations(path: Path) -> AnnotatedRegions:
    """Read a COCO instances file (images, annotations, categories). Raises BadFile, BadRow."""
    check_file(path)
    document = read_json(path)
    images, annotations, categories = (_rows(path, document, part) for part in ("images", "annotations", "categories"))
    labels = {row["id"]: row["name"] for row in _checked(path, categories, {"id": int, "name": str})}
    instances = _instances(path, annotations, labels)
    kinds = {"id": int, "file_name": str, "height": int, "width": int}
    pictures = {
        PurePosixPath(row["file_name"]).name: Annotated(
            (row["height"], row["width"]), tuple(instances.get(row["id"], ())), number
        )
        for number, row in enumerate(_checked(path, images, kinds), start=1)
    }
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return AnnotatedRegions(f"{path.name}@{digest}", pictures, _looked_for(path, document, tuple(labels.values())))


def _looked_for(path: Path, document: Any, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels that annotators looked for.

    These labels are in the field "vocabulary". If this field is missing, all categories of the file are returned.
    """
    looked_for = document.get("vocabulary", list(labels))
    if not isinstance(looked_for, list) or not all(isinstance(label, str) and label.strip() for label in looked_for):
        raise BadFile(path, f"vocabulary: must be a list of labels, found {str(looked_for)[:80]!r}")
    return tuple(looked_for)


def _instances(path: Path, annotations: Sequence[Any], labels: Mapping[int, str]) -> Mapping[int, list[Instance]]:
    """Return the annotations by image id, in the file's order."""
    instances: dict[int, list[Instance]] = defaultdict(list)
    kinds = {"image_id": int, "category_id": int, "segmentation": (list, dict)}
    for number, row in enumerate(_checked(path, annotations, kinds), start=1):
        if row["category_id"] not in labels:
            raise BadRow(path, number, "category_id", "a category of this file", row["category_id"])
        _check_segmentation(path, number, row["segmentation"])
        instance = Instance(number, labels[row["category_id"]], bool(row.get("iscrowd")), row["segmentation"])
        instances[row["image_id"]].append(instance)
    return instances


def _rows(path: Path, document: Any, part: str) -> list[Any]:
    rows = document.get(part) if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise BadFile(path, f"this must be a COCO instances file, but the list {part} is missing")
    return rows


def _checked(path: Path, rows: Sequence[Any], kinds: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    for number, row in enumerate(rows, start=1):
        for field, kind in kinds.items():
            value = row.get(field) if isinstance(row, dict) else None
            if not isinstance(value, kind) or isinstance(value, bool):
                raise BadRow(path, number, field, str(getattr(kind, "__name__", "polygons or run lengths")), value)
            if field in ("height", "width") and not 0 < value <= LONGEST_SIDE:
                raise BadRow(path, number, field, f"a width or height of 1 to {LONGEST_SIDE} px", value)
    return rows


def _check_segmentation(path: Path, number: int, segmentation: Any) -> None:
    """Check the types of the values in an annotation's segmentation.

    Polygons must be lists of numbers. For run lengths, the fields "counts" and "size" must have valid types. Whether
    the numbers fit the picture is checked later, when the mask is made.
    """
    if isinstance(segmentation, list):
        good = all(isinstance(p, list) and all(isinstance(v, int | float) for v in p) for p in segmentation)
    else:
        counts, size = segmentation.get("counts"), segmentation.get("size")
        good = isinstance(size, list) and all(isinstance(side, int) for side in size)
        good = good and (isinstance(counts, str) or isinstance(counts, list) and all(type(n) is int for n in counts))
    if not good:
        raise BadRow(path, number, "segmentation", "polygons of numbers, or an object of counts and size", segmentation)
