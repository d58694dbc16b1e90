from pathlib import Path

import pytest
from PIL import Image

from core.types import ImageRef


@pytest.fixture
def image(tmp_path: Path) -> ImageRef:
    """A small picture."""
    Image.new("RGB", (8, 6), "red").save(tmp_path / "dog.png")
    return ImageRef("dog.png", tmp_path / "dog.png")
