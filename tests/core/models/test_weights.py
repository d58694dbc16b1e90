from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models import Checkpoint
from core.models.checkpoints import EXPERT_ADAPTER, LLAVA_13B
from core.models.weights import fetch, find_weights, fingerprint, read_weights
from tests.whole_files import safetensors, torch_zip


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache."""
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def put(hub: Path, checkpoint: Checkpoint, *files: str, commit: str | None = None) -> Path:
    """Lay a repository into the cache, as a download does."""
    commit = commit or checkpoint.revision
    repo = hub / f"models--{checkpoint.repo.replace('/', '--')}"
    folder = repo / "snapshots" / commit
    folder.mkdir(parents=True)
    for name in files:
        whole = {".safetensors": safetensors(), ".bin": torch_zip()}
        (folder / name).write_bytes(whole.get(Path(name).suffix, b"{}"))
    if commit != checkpoint.revision:
        (repo / "refs").mkdir()
        (repo / "refs" / checkpoint.revision).write_text(commit)
    return folder


def test_downloaded_weights_are_found_with_their_commit(hub: Path) -> None:
    folder = put(hub, EXPERT_ADAPTER, "adapter_model.bin", commit="0123abcd" * 5)
    assert EXPERT_ADAPTER.folder() == folder
    found = find_weights(EXPERT_ADAPTER.repo, "EXPERT", "--adapter")
    assert (found.name, found.revision, found.folder) == (EXPERT_ADAPTER.repo, "0123abcd" * 5, folder)


def test_a_download_that_lacks_a_shard_counts_as_missing(hub: Path) -> None:
    folder = put(hub, LLAVA_13B, "config.json", "model-1.safetensors")
    index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ModelUnavailable, match="is not on this computer"):
        find_weights(LLAVA_13B.repo, "FLEUR")
    (folder / "model-2.safetensors").write_bytes(safetensors())
    assert find_weights(LLAVA_13B.repo, "FLEUR").folder == folder


def test_fetching_without_a_network_says_so(hub: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"llava-1.5-13b-hf \(26.7 GB\) could not be downloaded"):
        fetch(LLAVA_13B)


def test_a_fingerprint_changes_with_any_small_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    before = fingerprint(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    assert fingerprint(tmp_path) != before


class Touches:
    """A pickle that makes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.path,)


def test_code_in_a_pickle_is_never_run(tmp_path: Path) -> None:
    import torch

    made = tmp_path / "made"
    torch.save({"a": Touches(made)}, tmp_path / "state.pth")
    with pytest.raises(ModelUnavailable, match="would run code"):
        read_weights(tmp_path / "state.pth")
    assert not made.exists()


@pytest.mark.parametrize("content", [b"", b"not weights", b"junk", b"PK\x03\x04 broken"])
@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_a_broken_file_is_named(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"state{suffix}"
    path.write_bytes(content)
    with pytest.raises(ModelUnavailable, match="state"):
        read_weights(path)
