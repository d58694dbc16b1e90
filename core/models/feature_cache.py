"""Cache the regions and features of pictures on disk.

Regions are cached by picture and finder (the model that finds regions). Features are cached by picture, regions and
encoder. A second caption of the same picture, or an edited caption, then needs no detector and no image encoder. Files
are written atomically. If a file cannot be read, its content is computed again. Users may delete the files at any time.
"""

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.files import written_whole
from core.images.pictures import file_of, read_image_facts
from core.regions.protocols import Features, RegionEncoder, RegionFinder
from core.types import ImageRef, ImageRegion

Stored = npt.NDArray[np.float32]
LAYOUT = 1  # version of the files' layout; increase it when their contents change


@dataclass(frozen=True, slots=True)
class CachedFinder:
    """A RegionFinder that caches regions on disk."""

    finder: RegionFinder
    folder: Path

    @property
    def name(self) -> str:
        """Return the name of the finder inside the cache, because the regions are the same."""
        return self.finder.name

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return the regions from disk, or from the finder inside the cache. Raises this finder's errors."""
        path = self.folder / f"{_key('regions', self.name, checksum(image))}.json"
        regions = _read_regions(path)
        if regions is None:
            regions = self.finder.regions(image)
            _write(path, json.dumps([asdict(region) for region in regions]).encode())
        return regions


@dataclass(frozen=True, slots=True)
class CachedEncoder:
    """A RegionEncoder that caches features of regions. Texts are encoded every time."""

    encoder: RegionEncoder
    folder: Path

    @property
    def name(self) -> str:
        """Return the name of the encoder inside the cache."""
        return self.encoder.name

    @property
    def weight(self) -> float:
        """Return the factor w of the encoder inside the cache.

        The cosines of the encoder's features are multiplied by w.
        """
        return self.encoder.weight

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return the features from disk, or encode the regions.

        Both the stored and the new features are rounded to float32, so they are equal.
        """
        shown = json.dumps([asdict(region) for region in regions])
        path = self.folder / f"{_key('features', self.name, checksum(image), shown)}.npy"
        features = _read_features(path, len(regions))
        if features is None:
            features = self.encoder.encode_regions(image, regions).astype(np.float32)
            _write_features(path, features)
        return features.astype(np.float64)

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return the texts' features by the encoder inside the cache. They are not cached."""
        return self.encoder.encode_texts(texts)

    def tokens_read(self, text: str) -> tuple[int, int]:
        """Return how many tokens of a text the encoder reads, and how many the text has."""
        return self.encoder.tokens_read(text)


def checksum(image: ImageRef) -> str:
    """Return the sha256 of the picture's bytes. Raises BadImage for a missing picture."""
    return image.sha256 or read_image_facts(file_of(image)).sha256


def _key(*parts: str) -> str:
    return hashlib.sha256(json.dumps([LAYOUT, *parts]).encode()).hexdigest()


def _read_regions(path: Path) -> tuple[ImageRegion, ...] | None:
    try:
        rows = json.loads(path.read_bytes())
        regions = tuple(ImageRegion(**row | {"size": (row["size"][0], row["size"][1])}) for row in rows)
    except (OSError, ValueError, TypeError, LookupError):
        return None
    return regions if regions and regions[-1].is_full else None


def _read_features(path: Path, rows: int) -> Stored | None:
    try:
        features: Stored = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    good = features.ndim == 2 and len(features) == rows and features.dtype == np.float32
    return features if good and np.isfinite(features).all() else None


def _write_features(path: Path, features: Stored) -> None:
    written = io.BytesIO()
    np.save(written, features, allow_pickle=False)
    _write(path, written.getvalue())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as unfinished:
        unfinished.write_bytes(content)
