"""Models from folders and from the hub's cache, where either holds none."""

from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models.weights.hub import from_cache


def test_a_folder_without_a_model_is_not_to_be_downloaded(tmp_path: Path) -> None:
    from transformers import AutoConfig

    (tmp_path / "photo.png").write_bytes(b"")
    with pytest.raises(ModelUnavailable, match="this folder contains no model of type") as told:
        from_cache(AutoConfig, str(tmp_path), "0.6 GB")
    assert "hf download" not in str(told.value)
    with pytest.raises(ModelUnavailable, match="run: hf download nobody/nothing"):
        from_cache(AutoConfig, "nobody/nothing", "0.6 GB")
