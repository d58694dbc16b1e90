from pathlib import Path
from typing import Any

import pytest

from core.models.device import prepare_torchvision
from tests.polos_toys import Toys, make_toys
from tests.toy_llava import build_toy_llava

prepare_torchvision()  # before a test imports transformers


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a small LLaVA with random weights."""
    return build_toy_llava(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def toy(folder: Path) -> tuple[Any, Any]:
    """The LLaVA of the folder, and its processor."""
    from transformers import AutoProcessor, LlavaForConditionalGeneration

    return LlavaForConditionalGeneration.from_pretrained(folder).eval(), AutoProcessor.from_pretrained(folder)


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Toys:
    """A tiny RoBERTa and CLIP."""
    return make_toys(tmp_path_factory.mktemp("toys"))
