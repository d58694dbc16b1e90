"""A picture decoded in a process of its own is the same picture, and what is wrong with it is told the same."""

from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadImage
from core.images.pictures import thumbnail
from core.images.sandbox import thumbnail_apart
from tests.making import picture


def test_it_is_the_same_picture(tmp_path: Path) -> None:
    path = picture(tmp_path / "teal.tiff", size=(640, 480))
    assert thumbnail_apart(path, 320) == thumbnail(path, 320)


def test_what_is_wrong_with_it_is_told_in_the_same_words(tmp_path: Path) -> None:
    path = picture(tmp_path / "cut.png", size=(640, 480))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(BadImage) as here:
        thumbnail(path, 320)
    with pytest.raises(BadImage) as apart:
        thumbnail_apart(path, 320)
    assert str(apart.value) == str(here.value)


def test_one_that_takes_too_much_memory_is_refused_and_takes_nobody_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGBA", (5000, 5000), (1, 2, 3, 4)).save(tmp_path / "bomb.png", compress_level=1)
    monkeypatch.setattr("core.images.sandbox.MOST_MEMORY", 200 * 2**20)
    with pytest.raises(BadImage, match="needs more than 200 MB of memory; make the picture smaller"):
        thumbnail_apart(tmp_path / "bomb.png", 320)
