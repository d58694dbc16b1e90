import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch

from core.errors import ModelUnavailable
from core.models import Checkpoint, checkpoints
from core.models.checkpoints import EXPERT_ADAPTER, LLAVA_13B
from core.models.mobile_sam import load_detector
from core.models.polos import read_checkpoint
from core.models.weights import fetch, find_weights, fingerprint, read_weights
from tests.file_server import serving_files


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
        (folder / name).write_bytes(b"{}")
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
    (folder / "model-2.safetensors").write_bytes(b"{}")
    assert find_weights(LLAVA_13B.repo, "FLEUR").folder == folder


def test_a_file_on_no_hub_is_fetched_also_after_a_redirect_and_from_a_zip_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "WEIGHTS_FOLDER", tmp_path / "weights")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("reprod/reprod.ckpt", b"PK weights")
    with serving_files(
        {"/mobile.pt": b"PK masks", "/reprod.zip": packed.getvalue(), "/bad.zip": b"<html>", "/page.pt": b"<html>"}
    ) as server:
        server.redirects["/moved.pt"] = f"{server.url}/mobile.pt"
        wanted = {"moved.pt": ("mobile_sam.pt", b"PK masks"), "reprod.zip": ("reprod.ckpt", b"PK weights")}
        for name, (repo, content) in wanted.items():
            checkpoint = Checkpoint("masks", repo, "v1", 0.001, "MIT", f"{server.url}/{name}")
            assert checkpoint.can_be_fetched and checkpoint.folder() is None
            assert fetch(checkpoint) == checkpoint.folder() and checkpoint.file.read_bytes() == content
        wrong = {"bad.zip": "reprod.ckpt", "reprod.zip": "other.ckpt", "none.pt": "none.pt", "page.pt": "page.pt"}
        for name, repo in wrong.items():
            with pytest.raises(ModelUnavailable, match=rf"{repo}.*could not be downloaded.*and put {repo} at .*{repo}"):
                fetch(Checkpoint("masks", repo, "v1", 0.001, "MIT", f"{server.url}/{name}"))
    assert sorted(path.name for path in (tmp_path / "weights").iterdir()) == ["mobile_sam.pt", "reprod.ckpt"]


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


@pytest.mark.parametrize("content", [b"", b"not weights", b"PK\x03\x04 broken", "code", [1], {"model": 1}])
@pytest.mark.parametrize("reader", ["weights.pth", "weights.safetensors", "polos.ckpt", "detector.pt"])
def test_a_file_that_holds_no_weights_is_named_and_its_code_never_runs(
    tmp_path: Path, reader: str, content: Any
) -> None:
    read = {"polos.ckpt": read_checkpoint, "detector.pt": load_detector}.get(reader, read_weights)
    path, made = tmp_path / reader, tmp_path / "made"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        torch.save({"model": Touches(made), "state_dict": {}} if content == "code" else content, path)
    with pytest.raises(ModelUnavailable, match=reader):
        read(path)
    assert not made.exists()
