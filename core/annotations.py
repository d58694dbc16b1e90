"""Annotated regions: COCO instance files, with polygons, run-length encodings and crowds, found by picture name."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from core import masks
from core.datasets.files import decoded, parsed_json
from core.errors import BadFile, BadMask, BadRow, NotFound
from core.regions import ImageRegion, with_full
from core.types import ImageRef

KEPT_PICTURES = 256  # whose masks are kept in memory once made


@dataclass(frozen=True, slots=True)
class Annotated:
    """One picture's annotations as their file has them."""

    size: tuple[int, int]  # (height, width) in px
    instances: tuple[tuple[str, bool, Any], ...]  # label, crowd or not, segmentation as COCO writes it


class AnnotatedRegions:
    """A RegionFinder over annotations in memory; masks are made from them when a picture is asked for."""

    def __init__(self, name: str, pictures: Mapping[str, Annotated]) -> None:
        self.name = name  # file name and the first digits of its sha256, for signatures
        self.pictures = pictures  # by file name without folders
        self._made = lru_cache(maxsize=KEPT_PICTURES)(self._make)

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return the annotated regions, the whole picture last. Raises NotFound, and BadMask for a broken one."""
        names = (PurePosixPath(image.name).name, image.path.name if image.path else "")
        known = next((name for name in names if name in self.pictures), None)
        if known is None:
            raise NotFound(f"{image.name}: expected a picture of {self.name}, which has {len(self.pictures)} others")
        height, width = self.pictures[known].size
        if image.width and image.height and (image.height, image.width) != (height, width):
            raise BadMask(f"a picture of {width}×{height} px as annotated", f"{image.width}×{image.height} px")
        return self._made(known)

    def _make(self, name: str) -> tuple[ImageRegion, ...]:
        size = self.pictures[name].size
        parts = [
            ImageRegion(encoded(segmentation, size), size, label, is_crowd=crowd)
            for label, crowd, segmentation in self.pictures[name].instances
        ]
        return with_full(parts, size)


def encoded(segmentation: Any, size: tuple[int, int]) -> str:
    """Return a COCO segmentation as compressed counts: polygons, plain counts or compressed ones. Raises BadMask."""
    if isinstance(segmentation, list):
        return masks.from_polygons(segmentation, size)
    if tuple(segmentation["size"]) != size:
        raise BadMask(f"a mask of {size[1]}×{size[0]} px", f"size {segmentation['size']}")
    counts = segmentation["counts"]
    return masks.from_counts(masks.run_lengths(counts, size).tolist() if isinstance(counts, str) else counts, size)


def read_annotations(path: Path) -> AnnotatedRegions:
    """Read a COCO instances file (images, annotations, categories). Raises BadFile, BadRow, NotFound."""
    if not path.is_file():
        raise NotFound(f"{path}: there is no such file of annotations")
    data = path.read_bytes()
    try:
        document = parsed_json(decoded(path, data, "the file"))
    except ValueError as error:
        raise BadFile(path, f"it is no JSON ({error})") from error
    images, annotations, categories = (_rows(path, document, part) for part in ("images", "annotations", "categories"))
    labels = {row["id"]: row["name"] for row in _checked(path, categories, {"id": int, "name": str})}
    instances: dict[int, list[tuple[str, bool, Any]]] = defaultdict(list)
    kinds = {"image_id": int, "category_id": int, "segmentation": (list, dict)}
    for number, row in enumerate(_checked(path, annotations, kinds), start=1):
        if row["category_id"] not in labels:
            raise BadRow(path, number, "category_id", "a category of this file", row["category_id"])
        _check_segmentation(path, number, row["segmentation"])
        instances[row["image_id"]].append((labels[row["category_id"]], bool(row.get("iscrowd")), row["segmentation"]))
    pictures = {
        PurePosixPath(row["file_name"]).name: Annotated((row["height"], row["width"]), tuple(instances[row["id"]]))
        for row in _checked(path, images, {"id": int, "file_name": str, "height": int, "width": int})
    }
    return AnnotatedRegions(f"{path.name}@{hashlib.sha256(data).hexdigest()[:12]}", pictures)


def _rows(path: Path, document: Any, part: str) -> list[Any]:
    rows = document.get(part) if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise BadFile(path, f"expected a COCO instances file, found no list of {part}")
    return rows


def _checked(path: Path, rows: Sequence[Any], kinds: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    for number, row in enumerate(rows, start=1):
        for field, kind in kinds.items():
            value = row.get(field) if isinstance(row, dict) else None
            if not isinstance(value, kind) or isinstance(value, bool):
                raise BadRow(path, number, field, str(getattr(kind, "__name__", "polygons or run lengths")), value)
            if field in ("height", "width") and not 0 < value <= 65_500:
                raise BadRow(path, number, field, "a side of 1 to 65500 px", value)
    return rows


def _check_segmentation(path: Path, number: int, segmentation: Any) -> None:
    """Numbers within lists and the counts' kind; whether they fit the picture is seen when the mask is made."""
    if isinstance(segmentation, list):
        good = all(isinstance(p, list) and all(isinstance(v, int | float) for v in p) for p in segmentation)
    else:
        counts, size = segmentation.get("counts"), segmentation.get("size")
        good = isinstance(size, list) and all(isinstance(side, int) for side in size)
        good = good and (isinstance(counts, str) or isinstance(counts, list) and all(type(n) is int for n in counts))
    if not good:
        raise BadRow(path, number, "segmentation", "polygons of numbers, or counts and size", segmentation)
