from typing import Any

import pytest

from tests.toy_llava import build_toy_llava


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """A small LLaVA with random weights, and its processor."""
    from core.models.device import prepare_torchvision

    prepare_torchvision()
    from transformers import AutoProcessor, LlavaForConditionalGeneration

    folder = build_toy_llava(tmp_path_factory.mktemp("toy"))
    return LlavaForConditionalGeneration.from_pretrained(folder).eval(), AutoProcessor.from_pretrained(folder)
