import json
from pathlib import Path

import pytest

from core.errors import BadFile, ModelUnavailable
from core.models import ModelSettings
from core.models.hice import load_parts


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
