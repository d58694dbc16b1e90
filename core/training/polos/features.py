"""Features on disk: frozen encoders compute the features of all texts and pictures only once.

A table is a folder of small .npy files with up to ROWS rows each. A file's name is a checksum of the encoders and of
the inputs (texts or pictures) of its rows. A restarted run reuses the files that it finished. Runs with other data or
other encoders never use these files.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import torch

from core.files import written_whole
from core.images.pictures import open_rgb
from core.models.polos.encoder import PolosEncoder, normalised
from core.training.polos.plan import OnProgress, Progress, Stage

ROWS = 256  # number of texts per file, about 10 MB
PICTURES_AT_A_TIME = 32

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
T = TypeVar("T")


class FeatureTable:
    """Rows of features, read from disk on demand."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._parts: list[FloatArray] = [np.load(file, mmap_mode="r") for file in files]

    def rows(self, places: IntArray) -> FloatArray:
        """Return the rows at positions [N] as float32 [N, width]."""
        result = np.empty((len(places), self._parts[0].shape[1]), dtype=np.float32)
        parts = places // ROWS
        for part in np.unique(parts):
            chosen = parts == part
            result[chosen] = self._parts[part][places[chosen] % ROWS]
        return result


def text_table(
    folder: Path, encoder: PolosEncoder, identity: str, texts: Sequence[str], on_progress: OnProgress
) -> FeatureTable:
    """Return a table with the features of texts, one row per text.

    A row consists of the layer-normalised hidden states [L * D] of token 0, and then CLIP's feature [E]. Each text is
    normalised alone, so a row does not depend on the table's other rows. identity: a text that identifies the encoders.
    """

    def encode(some: Sequence[str]) -> FloatArray:
        features = encoder.encode_texts(some)
        states = torch.cat([normalised([text]) for text in features]).flatten(start_dim=1)
        return _numpy(torch.cat([states, torch.stack([text.clip for text in features])], dim=1))

    return FeatureTable(_files(folder, "texts encoded", texts, texts, identity, encode, on_progress))


def picture_table(
    folder: Path, encoder: PolosEncoder, identity: str, paths: Sequence[Path], on_progress: OnProgress
) -> FeatureTable:
    """Return a table with the features of pictures. A row is CLIP's feature [E]. Raises BadImage."""

    def encode(some: Sequence[Path]) -> FloatArray:
        batches = [some[at : at + PICTURES_AT_A_TIME] for at in range(0, len(some), PICTURES_AT_A_TIME)]
        return _numpy(torch.cat([encoder.encode_images([open_rgb(path) for path in batch]) for batch in batches]))

    names = [
        f"{path}:{path.stat().st_size}:{path.stat().st_mtime_ns}" if path.exists() else str(path) for path in paths
    ]
    return FeatureTable(_files(folder, "pictures encoded", paths, names, identity, encode, on_progress))


def _files(
    folder: Path,
    stage: Stage,
    items: Sequence[T],
    names: Sequence[str],
    identity: str,
    encode: Callable[[Sequence[T]], FloatArray],
    on_progress: OnProgress,
) -> list[Path]:
    """Return the files of a table. Missing files are computed first."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for start in range(0, len(items), ROWS):
        end = min(start + ROWS, len(items))
        checksum = hashlib.sha256("\0".join([identity, stage, *names[start:end]]).encode()).hexdigest()[:24]
        file = folder / f"{stage.split()[0]}-{checksum}.npy"
        if not file.exists():
            with written_whole(file) as unfinished, unfinished.open("wb") as stream:
                np.save(stream, encode(items[start:end]))
        files.append(file)
        on_progress(Progress(stage, end, len(items)))
    return files


def _numpy(tensor: torch.Tensor) -> FloatArray:
    array: FloatArray = tensor.cpu().numpy()
    return array
