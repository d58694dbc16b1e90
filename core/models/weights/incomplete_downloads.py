"""Detect incomplete downloads of weights by file size and header, without importing torch."""

import json
import zipfile
from pathlib import Path

LONGEST_HEADER = 100_000_000  # maximum bytes of a header in the safetensors format
LEAST = 0.5  # minimum size of a complete file, as a share of its published size, which is only roughly known
_ZIP, _PICKLE, _POINTER = b"PK\x03\x04", b"\x80", b"version https://git-lfs"
_TORCH = (".pt", ".pth", ".ckpt")


def flaw(path: Path, size_gb: float = 0.0) -> str | None:
    """Return why a file is not a complete file of weights; None if it may be complete.

    size_gb: the published size in GB; 0 if unknown. This size is used only if the file's header does not state the
    size. Raises OSError for a missing file.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(len(_POINTER))
    if start == _POINTER:
        return "it is a Git LFS pointer, not the weights"
    if path.suffix == ".safetensors":
        return _flaw_of_safetensors(path, size)
    if path.suffix in _TORCH or _is_model(path):
        return _flaw_of_torch(path, size, start, size_gb)
    return None


def half(path: Path, problem: str) -> str:
    """Return a sentence that explains what to do about an incomplete file."""
    return f"{path.name} is incomplete: {problem}. Delete {path} and download it again"


def flaw_within(folder: Path) -> str | None:
    """Return what to do about a folder's first incomplete file, as a sentence; None if all are complete."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and (path.suffix == ".safetensors" or _is_model(path)):
            problem = flaw(path)
            if problem is not None:
                return half(path, problem)
    return None


def _is_model(path: Path) -> bool:
    return path.suffix == ".bin" and path.name.startswith(("pytorch_model", "adapter_model", "model"))


def _flaw_of_safetensors(path: Path, size: int) -> str | None:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(LONGEST_HEADER, size - 8):
            return f"it has {size:,} bytes, and its header is incomplete or is no safetensors header"
        try:
            header = json.loads(file.read(length))
            ends = [part["data_offsets"][1] for name, part in header.items() if name != "__metadata__"]
            whole = 8 + length + max(ends, default=0)
        except (ValueError, RecursionError, AttributeError, LookupError, TypeError):
            return "its header cannot be read"
    return None if size == whole else f"it has {size:,} of {whole:,} bytes"


def _flaw_of_torch(path: Path, size: int, start: bytes, size_gb: float) -> str | None:
    if start.startswith(_ZIP):
        return None if zipfile.is_zipfile(path) else f"its end is missing after {size:,} bytes"
    if not start.startswith(_PICKLE) or size < 64:
        return f"its {size:,} bytes are not weights of PyTorch"
    expected = int(size_gb * 1e9)
    return f"it has {size:,} of about {expected:,} bytes" if size < LEAST * expected else None
