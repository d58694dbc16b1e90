"""Annotated regions: attached by imports and by themselves, kept once, given back with samples."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.errors import BadRow
from core.regions import masks
from core.types import ImageRegion
from storage.types import Search, StoredSample
from tests.making import draw_pictures, import_rows, picture, rows, write_rows
from ui.services.importing.annotations import annotate
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

SIZE = (48, 64)  # of the pictures that tests draw
LEFT, RIGHT = [1, 1, 20, 1, 20, 40, 1, 40], [30, 5, 60, 5, 60, 40, 30, 40]
Shapes = Mapping[str, Sequence[tuple[str, Any]]]


def instances(folder: Path, shapes: Shapes, name: str = "instances.json", size: tuple[int, int] = SIZE) -> Path:
    """Write a COCO file: by picture the label and the polygon, or run lengths, of every region."""
    labels = sorted({label for parts in shapes.values() for label, _ in parts})
    document = {
        "images": [
            {"id": n, "file_name": f"val2017/{image}", "height": size[0], "width": size[1]}
            for n, image in enumerate(shapes)
        ],
        "categories": [{"id": n, "name": label} for n, label in enumerate(labels)],
        "annotations": [
            {
                "image_id": n,
                "category_id": labels.index(label),
                "iscrowd": int(isinstance(shape, dict)),
                "segmentation": shape if isinstance(shape, dict) else [shape],
            }
            for n, parts in enumerate(shapes.values())
            for label, shape in parts
        ],
    }
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def stored(workplace: Workplace, dataset: str = "birds") -> list[StoredSample]:
    """Return every sample as `get` gives it."""
    samples = workplace.repository.samples
    return [samples.get(found.id) for found in samples.search(Search(dataset), 0, 100).samples]


def labels(sample: StoredSample) -> list[str | None]:
    return [region.label for region in sample.sample.image.regions]


def contents(workplace: Workplace) -> list[tuple[Any, ...]]:
    with workplace.repository.database.read() as connection:
        return sorted(map(tuple, connection.execute(text("SELECT * FROM annotations"))))


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Annotations of the first two of the pictures that rows name; the second is found by its stem."""
    crowd = {"counts": [100, 300, 64 * 48 - 400], "size": list(SIZE)}
    return instances(
        tmp_path, {"secretpicture-0.png": [("dog", LEFT), ("cat", RIGHT)], "secretpicture-1.jpg": [("flock", crowd)]}
    )


def test_regions_are_attached_to_their_pictures(workplace: Workplace, tmp_path: Path, two: Path) -> None:
    import_rows(workplace, tmp_path, rows(3))
    counts = annotate(workplace, "birds", two).counts
    assert (counts.annotated, counts.annotated_added, counts.regions_added, counts.pictures) == (2, 2, 3, 3)
    first, second, third = stored(workplace)
    assert first.sample.image.regions == (
        ImageRegion(masks.from_polygons([LEFT], SIZE), SIZE, "dog"),
        ImageRegion(masks.from_polygons([RIGHT], SIZE), SIZE, "cat"),
    )
    (flock,) = second.sample.image.regions
    assert (flock.label, flock.is_crowd, masks.area(flock.rle, SIZE)) == ("flock", True, 300)
    assert third.sample.image.regions == third.sample.image.vocabulary == ()
    assert first.sample.image.vocabulary == second.sample.image.vocabulary == ("cat", "dog", "flock")
    (summary,) = workplace.repository.samples.datasets()
    assert summary.annotated == 2
    assert workplace.repository.samples.has_regions("birds")


def test_a_picture_that_is_known_is_recognised_by_its_checksum(workplace: Workplace, tmp_path: Path, two: Path) -> None:
    import_rows(workplace, tmp_path, rows(3))
    annotate(workplace, "birds", two)
    first, _, third = stored(workplace)
    of_picture = workplace.repository.samples.annotations_of
    assert first.sample.image.sha256 and third.sample.image.sha256
    for dataset in ("birds", "others"):
        found = of_picture(first.sample.image.sha256, dataset)
        assert found == (first.sample.image.regions, ("cat", "dog", "flock"))
    assert of_picture(third.sample.image.sha256, "birds") == of_picture("0" * 64, "birds") == ((), ())


def test_the_same_again_changes_nothing_and_gaps_are_filled(workplace: Workplace, tmp_path: Path, two: Path) -> None:
    import_rows(workplace, tmp_path, rows(3))
    annotate(workplace, "birds", two)
    before = contents(workplace)
    shapes = {f"secretpicture-{n}.png": [("horse", RIGHT)] for n in range(3)}
    counts = annotate(workplace, "birds", instances(tmp_path, shapes, "more.json")).counts
    assert (counts.annotated, counts.annotated_added, counts.regions_added) == (3, 1, 1)
    assert [labels(one) for one in stored(workplace)] == [["dog", "cat"], ["flock"], ["horse"]]
    assert contents(workplace)[: len(before)] == before


def test_a_missing_picture_gets_its_regions_once_it_is_found(workplace: Workplace, tmp_path: Path, two: Path) -> None:
    path = write_rows(tmp_path, rows(2))
    import_files(workplace, "jsonl", [path], "birds")
    assert annotate(workplace, "birds", two).counts.annotated == 0
    draw_pictures(tmp_path, rows(2))
    import_files(workplace, "jsonl", [path], "birds")
    assert annotate(workplace, "birds", two).counts.regions_added == 3


def test_a_picture_of_another_size_is_refused_or_skipped(workplace: Workplace, tmp_path: Path, two: Path) -> None:
    samples = rows(2)
    draw_pictures(tmp_path, samples)
    picture(tmp_path / samples[1]["image"], size=(65, 48))
    import_files(workplace, "jsonl", [write_rows(tmp_path, samples)], "birds")
    with pytest.raises(BadRow) as caught:
        annotate(workplace, "birds", two)
    assert str(caught.value) == (
        "instances.json, row 2, field size of val2017/secretpicture-1.jpg: "
        "expected a picture of 64×48 px, the size of the annotated picture, found '65×48 px'"
    )
    assert contents(workplace) == []
    report = annotate(workplace, "birds", two, skip_bad=True)
    assert (report.counts.annotated, len(report.skipped)) == (1, 1)


def test_a_broken_mask_is_named_and_only_it_is_left_out(birds: Workplace, tmp_path: Path) -> None:
    shapes = {"secretpicture-0.png": [("dog", LEFT), ("cat", [1, 2, 3, 4])]}
    path = instances(tmp_path, shapes)
    with pytest.raises(
        BadRow, match=r"^instances\.json, row 2, field segmentation on val2017/secretpicture-0\.png: expected"
    ):
        annotate(birds, "birds", path)
    assert contents(birds) == []
    report = annotate(birds, "birds", path, skip_bad=True)
    assert (report.counts.regions_added, len(report.skipped)) == (1, 1)


# -- pictures of one name --


def test_two_files_that_name_the_same_relative_picture_each_have_their_own(
    workplace: Workplace, tmp_path: Path
) -> None:
    files = []
    for folder, colour in (("a", "red"), ("b", "blue")):
        (sample,) = rows(1)
        picture(tmp_path / folder / sample["image"], colour)
        named = sample | {"id": f"{folder}-1"}
        files.append(write_rows(tmp_path / folder, [named]))
    counts = import_files(workplace, "jsonl", files, "both").counts
    assert (counts.samples_added, counts.images_found) == (2, 2)
    paths = [one.sample.image.path for one in stored(workplace, "both")]
    assert paths == [tmp_path / folder / "secretpicture-0.png" for folder in "ab"]
    assert {one.sample.image.name for one in stored(workplace, "both")} == {"secretpicture-0.png"}
    again = import_files(workplace, "jsonl", files, "both").counts
    assert (again.samples_added, again.images_found) == (0, 2)
