import json
from pathlib import Path
from typing import Any

import pytest
from pycocotools.coco import COCO

from core.datasets.coco_instances import read_annotations
from core.errors import BadFile, BadMask, BadRow, NotFound
from core.regions import masks
from core.regions.annotated import AnnotatedRegions, SampleRegions
from core.types import ImageRef, ImageRegion

SQUARE = [[1, 1, 3, 1, 3, 3, 1, 3]]


def document(**changes: Any) -> dict[str, Any]:
    annotation = {"id": 7, "image_id": 1, "category_id": 2, "iscrowd": 0, "segmentation": SQUARE} | changes
    return {
        "images": [{"id": 1, "file_name": "val2017/dog.jpg", "height": 4, "width": 6}],
        "annotations": [annotation],
        "categories": [{"id": 2, "name": "dog"}],
    }


def read(folder: Path, content: object) -> AnnotatedRegions:
    path = folder / "instances.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_annotations(path)


def test_a_polygon_becomes_a_region_with_its_label_and_the_whole_picture_comes_last(tmp_path: Path) -> None:
    part, whole = read(tmp_path, document()).regions(ImageRef("dog.jpg"))
    assert (part.label, part.is_full, part.is_crowd, part.size) == ("dog", False, False, (4, 6))
    assert masks.area(part.rle, part.size) == 4
    assert (whole.label, whole.is_full, masks.area(whole.rle, whole.size)) == (None, True, 24)


@pytest.mark.parametrize("counts", [[5, 2, 2, 2, 13], "5220;"])
def test_crowds_and_compressed_masks_are_regions_too(tmp_path: Path, counts: object) -> None:
    changed = document(iscrowd=1, segmentation={"counts": counts, "size": [4, 6]})
    part, _ = read(tmp_path, changed).regions(ImageRef("folder/dog.jpg"))
    assert part.is_crowd
    assert masks.area(part.rle, part.size) == 4


@pytest.mark.parametrize(
    ("annotated", "picture"),
    [
        ("COCO_val2014_000000391895.jpg", ImageRef("000000391895.jpg")),
        ("000000391895.jpg", ImageRef("COCO_val2014_000000391895.jpg")),
        ("000000391895.jpg", ImageRef("val2014/COCO_train2014_000000391895.png")),
        ("000000391895.jpg", ImageRef("17", path=Path("/pictures/COCO_val2014_000000391895.jpg"))),
    ],
)
def test_a_coco_picture_is_found_under_its_other_name(tmp_path: Path, annotated: str, picture: ImageRef) -> None:
    changed = document()
    changed["images"][0]["file_name"] = annotated
    found = read(tmp_path, changed)
    assert found.find(picture) == annotated
    assert found.find(ImageRef("391895.jpg")) is None
    assert found.find(ImageRef("000000391896.jpg")) is None


def test_annotations_under_the_exact_coco_name_go_first(tmp_path: Path) -> None:
    names = ("COCO_val2014_000000391895.jpg", "000000391895.jpg")
    images = [{"id": n, "file_name": name, "height": 4, "width": 6} for n, name in enumerate(names, start=1)]
    found = read(tmp_path, document() | {"images": images})
    assert [found.find(ImageRef(name)) for name in names] == list(names)
    assert found.find(ImageRef("COCO_train2014_000000391895.jpg")) == names[0]


def test_a_picture_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadMask, match="6×4"):
        read(tmp_path, document()).regions(ImageRef("dog.jpg", width=4, height=6))


@pytest.mark.parametrize(
    "segmentation",
    [[], [[1, 2, 3, 4]], [[0, 0, 1e9, 0, 1e9, 1e9]], {"counts": [1], "size": [4, 6]}, {"counts": "0", "size": [2, 2]}],
)
def test_a_mask_that_does_not_fit_is_refused_when_asked_for(tmp_path: Path, segmentation: object) -> None:
    annotations = read(tmp_path, document(segmentation=segmentation))
    with pytest.raises(BadMask):
        annotations.regions(ImageRef("dog.jpg"))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"image_id": [1]}, "image_id"),
        ({"category_id": 3}, "category_id"),
        ({"segmentation": None}, "segmentation"),
        ({"segmentation": [["a"]]}, "segmentation"),
        ({"segmentation": {"counts": {}, "size": [4, 6]}}, "segmentation"),
        ({"segmentation": {"counts": [1, True], "size": [4, 6]}}, "segmentation"),
    ],
)
def test_a_bad_annotation_is_named_with_its_field(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRow) as caught:
        read(tmp_path, document(**changes))
    assert (caught.value.field, caught.value.row) == (field, 1)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"images": []}', '{"images": {}, "annotations": []}', "[" * 9999])
def test_a_file_that_is_no_instances_file_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadFile):
        read(tmp_path, content)


def test_every_coco_mask_is_the_one_that_pycocotools_makes(shared_dir: Path) -> None:
    path = shared_dir / "data" / "coco" / "instances_subset.json"
    annotations, theirs = read_annotations(path), COCO(str(path))
    compared = crowds = 0
    for image in theirs.dataset["images"]:
        *parts, whole = annotations.regions(ImageRef(image["file_name"], width=image["width"], height=image["height"]))
        instances = theirs.imgToAnns[image["id"]]
        assert whole.is_full and len(parts) == len(instances)
        for part, instance in zip(parts, instances, strict=True):
            assert (masks.decode(part.rle, part.size) == theirs.annToMask(instance).astype(bool)).all()
            assert part.label == theirs.cats[instance["category_id"]]["name"]
            crowds += part.is_crowd
            compared += 1
    assert (compared, crowds) == (385, 4)


def test_a_picture_that_brings_no_regions_is_told_what_to_do() -> None:
    with pytest.raises(NotFound, match=r"dog\.jpg.*annotate"):
        SampleRegions().regions(ImageRef("dog.jpg", width=6, height=4))


@pytest.mark.parametrize("size", [(4, 6), (6, 4)])
def test_regions_of_another_size_than_their_picture_are_refused(size: tuple[int, int]) -> None:
    parts = (ImageRegion(masks.full((6, 4)), (6, 4), "dog"), ImageRegion(masks.full(size), size, "cat"))
    with pytest.raises(BadMask):
        SampleRegions().regions(ImageRef("dog.jpg", width=6, height=4, regions=parts))
