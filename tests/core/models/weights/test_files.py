from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ModelUnavailable


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, save_file, read_weights, weights_name, STATE
    import torch
    from safetensors.torch import save_file

    from core.models.weights.files import read_weights, weights_name

    STATE = {"a": torch.arange(3.0)}


class Touches:
    """A pickle that makes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.path,)


def test_tensors_are_read_from_both_formats(tmp_path: Path) -> None:
    torch.save(STATE, tmp_path / "state.pth")
    save_file(STATE, tmp_path / "state.safetensors")
    for path in tmp_path.iterdir():
        assert torch.equal(read_weights(path)["a"], STATE["a"])


def test_code_in_a_pickle_is_never_run(tmp_path: Path) -> None:
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


def test_another_layout_is_refused(tmp_path: Path) -> None:
    torch.save([1, 2], tmp_path / "list.pth")
    with pytest.raises(ModelUnavailable, match="state dict"):
        read_weights(tmp_path / "list.pth")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="there are no weights"):
        read_weights(tmp_path / "none.pth")


def test_the_name_changes_with_the_content(tmp_path: Path) -> None:
    path = tmp_path / "clip.pth"
    path.write_bytes(b"1")
    first = weights_name(path)
    path.write_bytes(b"2")
    assert first.startswith("clip@") and weights_name(path) != first
