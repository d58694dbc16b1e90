"""Half a download is told from whole weights before anything loads it."""

import json
from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models import Checkpoint
from core.models.weights.availability import availability, cached_folder, file_path, find_weights
from core.models.weights.checkpoints import FAST_SAM, LLAVA_13B
from core.models.weights.incomplete_downloads import flaw


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of weights that are on no hub."""
    monkeypatch.setattr("core.models.weights.availability.WEIGHTS_FOLDER", tmp_path)
    return tmp_path


def save(path: Path, size: int = 300, old: bool = False) -> None:
    """Write a tensor as its ending says; old: as torch did before its files were zips."""
    import torch  # takes seconds
    from safetensors.torch import save_file

    tensors = {"a": torch.ones(size, 4)}
    if path.suffix == ".safetensors":
        save_file(tensors, path)
    else:
        torch.save(tensors, path, _use_new_zipfile_serialization=not old)


def cut(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


def test_whole_files_have_no_flaw(tmp_path: Path) -> None:
    save(tmp_path / "a.safetensors")
    save(tmp_path / "a.pt")
    save(tmp_path / "old.pth", old=True)
    assert [flaw(tmp_path / name) for name in ("a.safetensors", "a.pt", "old.pth")] == [None, None, None]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("name", ["a.safetensors", "a.pt", "pytorch_model.bin"])
def test_a_file_that_was_cut_anywhere_has_a_flaw(tmp_path: Path, name: str, share: float) -> None:
    path = tmp_path / name
    save(path)
    cut(path, share)
    assert flaw(path) is not None


def test_an_old_file_of_torch_is_measured_against_its_published_size(tmp_path: Path) -> None:
    path = tmp_path / "old.pth"
    save(path, old=True)
    assert flaw(path, path.stat().st_size / 1e9) is None
    problem = flaw(path, 1.2)
    assert problem is not None and problem.endswith("of about 1,200,000,000 bytes")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.safetensors", b"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        ("a.pt", b"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        ("a.pt", b"<html>Not found</html>", "22 bytes are not weights of PyTorch"),
        ("a.safetensors", (2).to_bytes(8, "little") + b"[]", "its header cannot be read"),
        ("a.safetensors", b"\xff" * 64, "no safetensors header"),
    ],
)
def test_a_file_of_another_kind_has_a_flaw(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert words in str(flaw(tmp_path / name))


def test_eight_bytes_of_a_detector_are_broken_rather_than_present(weights: Path) -> None:
    (weights / FAST_SAM.repo).write_bytes(b"12345678")
    (state,) = availability("HICE-S", (FAST_SAM,))
    assert (state.present, cached_folder(FAST_SAM)) == (False, None)
    expected = f"FastSAM-x.pt is incomplete: its 8 bytes are not weights of PyTorch. Delete {weights}/FastSAM-x.pt"
    assert str(state.broken).startswith(expected) and state.how.startswith(expected)
    from core.models.weights.files import read_checkpoint_file  # imports torch

    with pytest.raises(ModelUnavailable, match="FastSAM-x.pt is incomplete"):
        read_checkpoint_file(file_path(FAST_SAM))


def test_a_whole_file_elsewhere_is_found_behind_a_half_one(
    weights: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    checkpoint = Checkpoint("head", "reprod.ckpt", "1", 0.0, "MIT")
    monkeypatch.setattr("core.models.weights.availability.OTHER_FOLDERS", {"reprod.ckpt": other})
    (weights / "reprod.ckpt").write_bytes(b"half")
    save(other / "reprod.ckpt")
    assert file_path(checkpoint) == other / "reprod.ckpt"


def test_half_a_shard_on_the_hub_is_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    folder = tmp_path / f"models--{LLAVA_13B.repo.replace('/', '--')}" / "snapshots" / LLAVA_13B.revision
    folder.mkdir(parents=True)
    save(folder / "model-1.safetensors")
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "model-1.safetensors"}}))
    assert find_weights(LLAVA_13B.repo, "FLEUR").folder == folder
    cut(folder / "model-1.safetensors", 0.5)
    told = (
        r"model-1.safetensors is incomplete: it has \d,\d+ of \d,\d+ bytes. Delete .* with: python app.py models fetch"
    )
    with pytest.raises(ModelUnavailable, match=told):
        find_weights(LLAVA_13B.repo, "FLEUR")
    with pytest.raises(ModelUnavailable, match="model-1.safetensors is incomplete"):
        find_weights(str(folder), "FLEUR")
