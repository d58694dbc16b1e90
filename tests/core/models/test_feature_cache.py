from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadImage
from core.models.feature_cache import CachedEncoder, CachedFinder, checksum
from core.regions import masks
from core.regions.protocols import Features, with_full
from core.types import ImageRef, ImageRegion

IMAGE = ImageRef("dog.jpg", sha256="a" * 64)
SIZE = (4, 6)
MASK = np.zeros(SIZE, bool)
MASK[1:3, 2:4] = True
REGIONS = with_full([ImageRegion(masks.encode(MASK), SIZE, "dog", is_crowd=True)], SIZE)


@dataclass
class CountingFinder:
    name: str = "finder"
    calls: int = 0

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        self.calls += 1
        return REGIONS


@dataclass
class CountingEncoder:
    name: str = "encoder"
    weight: float = 2.5
    calls: int = 0

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        self.calls += 1
        rows = np.random.default_rng(len(regions)).normal(size=(len(regions), 8))
        features: Features = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return features

    def tokens_read(self, text: str) -> tuple[int, int]:
        return min(99, len(text.split())), len(text.split())

    def encode_texts(self, texts: Sequence[str]) -> Features:
        return np.ones((len(texts), 8)) / np.sqrt(8)


def test_regions_are_found_once_and_come_back_the_same(tmp_path: Path) -> None:
    finder = CountingFinder()
    cached = CachedFinder(finder, tmp_path)
    assert cached.regions(IMAGE) == cached.regions(IMAGE) == REGIONS
    assert (finder.calls, cached.name) == (1, "finder")


def test_features_are_encoded_once_and_come_back_the_same(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, tmp_path)
    first, second = cached.encode_regions(IMAGE, REGIONS), cached.encode_regions(IMAGE, REGIONS)
    assert np.array_equal(first, second)
    assert np.abs(first - CountingEncoder().encode_regions(IMAGE, REGIONS)).max() < 1e-7
    assert (encoder.calls, cached.name, cached.weight, len(cached.encode_texts(["a"]))) == (1, "encoder", 2.5, 1)


def test_another_picture_encoder_or_set_of_regions_is_another_entry(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    CachedEncoder(encoder, tmp_path).encode_regions(IMAGE, REGIONS)
    CachedEncoder(encoder, tmp_path).encode_regions(replace(IMAGE, sha256="b" * 64), REGIONS)
    CachedEncoder(encoder, tmp_path).encode_regions(IMAGE, REGIONS[1:])
    encoder.name = "other"
    CachedEncoder(encoder, tmp_path).encode_regions(IMAGE, REGIONS)
    assert encoder.calls == 4
    finder = CountingFinder()
    CachedFinder(finder, tmp_path).regions(IMAGE)
    CachedFinder(finder, tmp_path).regions(replace(IMAGE, sha256="b" * 64))
    assert finder.calls == 2


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'[{"rle": 1}]', b"\x93NUMPY", b"\xff\xfe", b"[1, 2]"])
def test_a_broken_file_is_made_again(tmp_path: Path, content: bytes) -> None:
    finder, encoder = CountingFinder(), CountingEncoder()
    CachedFinder(finder, tmp_path).regions(IMAGE)
    CachedEncoder(encoder, tmp_path).encode_regions(IMAGE, REGIONS)
    for path in tmp_path.iterdir():
        path.write_bytes(content)
    assert CachedFinder(finder, tmp_path).regions(IMAGE) == REGIONS
    CachedEncoder(encoder, tmp_path).encode_regions(IMAGE, REGIONS)
    assert (finder.calls, encoder.calls) == (2, 2)


@pytest.mark.parametrize(
    "array", [np.zeros((1, 8), np.float32), np.full((2, 8), np.nan, np.float32), np.zeros((2, 8)), np.zeros(3)]
)
def test_an_array_of_another_form_is_made_again(tmp_path: Path, array: np.ndarray) -> None:
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, tmp_path)
    cached.encode_regions(IMAGE, REGIONS)
    (path,) = tmp_path.iterdir()
    np.save(path, array)
    cached.encode_regions(IMAGE, REGIONS)
    assert encoder.calls == 2


def test_a_pickle_in_the_cache_is_never_opened(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, tmp_path)
    cached.encode_regions(IMAGE, REGIONS)
    (path,) = tmp_path.iterdir()
    np.save(path, np.array([{"a": 1}], object), allow_pickle=True)
    cached.encode_regions(IMAGE, REGIONS)
    assert encoder.calls == 2


def test_no_half_written_file_stays_behind(tmp_path: Path) -> None:
    CachedFinder(CountingFinder(), tmp_path).regions(IMAGE)
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_a_picture_without_a_checksum_is_read(tmp_path: Path) -> None:
    Image.new("RGB", (3, 3)).save(tmp_path / "p.png")
    assert len(checksum(ImageRef("p.png", tmp_path / "p.png"))) == 64
    with pytest.raises(BadImage, match="lost"):
        checksum(ImageRef("lost"))
