import json
from pathlib import Path

import pytest

from core.errors import BadFile, ModelUnavailable
from core.metrics.hice import RefHICE
from core.models import ModelSettings
from core.models.hice import load_parts
from core.types import ImageRef, Sample, Score


@pytest.fixture
def instances(tmp_path: Path) -> Path:
    path = tmp_path / "instances.json"
    path.write_text(json.dumps({"images": [], "annotations": [], "categories": []}))
    return path


def test_missing_annotations_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="none.json"):
        load_parts(ModelSettings(options={"regions": str(tmp_path / "none.json")}))


def test_without_weights_the_error_says_what_to_fetch(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="FastSAM-x.pt"):
        load_parts(ModelSettings(options={"weights": str(tmp_path)}))


def test_an_alpha_clip_checkpoint_that_is_not_there_is_named(instances: Path, tmp_path: Path) -> None:
    settings = ModelSettings(model="clip_b16.pth", options={"regions": str(instances), "weights": str(tmp_path)})
    with pytest.raises(ModelUnavailable, match="clip_b16.pth"):
        load_parts(settings)


# -- with the real label encoder --


def coco_samples(shared_dir: Path) -> list[Sample]:
    """The 195 captions of the pictures that have masks."""
    folder = shared_dir / "data" / "coco"
    document = json.loads((folder / "instances_subset.json").read_text())
    annotated = {row["image_id"] for row in document["annotations"]}
    images = {row["id"]: ImageRef(row["file_name"], folder / "images" / row["file_name"]) for row in document["images"]}
    captions = json.loads((folder / "captions_subset.json").read_text())["annotations"]
    return [
        Sample(str(row["id"]), images[row["image_id"]], row["caption"])
        for row in captions
        if row["image_id"] in annotated
    ]


@pytest.mark.weights
def test_references_are_compared_by_the_same_encoder(shared_dir: Path) -> None:
    path = shared_dir / "data" / "coco" / "instances_subset.json"
    metric = RefHICE.load(ModelSettings(options={"regions": str(path)}))
    first, second = coco_samples(shared_dir)[:2]
    (score,) = metric.score([Sample("1", first.image, first.candidate, (first.candidate, second.candidate))])
    assert isinstance(score, Score)
    assert score.components["gTTC"] == pytest.approx(1.0)
    assert score.components["lTTC"] < 1.0  # type: ignore[operator]
