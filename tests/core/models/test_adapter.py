import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from transformers import AutoProcessor, LlavaForConditionalGeneration

from app import main
from core.errors import ModelUnavailable
from core.models.adapter import merged_model
from tests.toy_llava import toy_adapter, write_adapter

RANK, ALPHA = 4, 8
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@pytest.fixture
def model(folder: Path) -> Any:
    return LlavaForConditionalGeneration.from_pretrained(folder).eval()


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    return lambda lora, extra=None, **config: write_adapter(tmp_path, lora, extra or {}, **config)


def outputs(model: Any) -> Any:
    ids = torch.tensor([[1, *[model.config.image_token_id] * 4, 270, 280, 290]])
    pixels = torch.linspace(-1, 1, 3 * 28 * 28).reshape(1, 3, 28, 28)
    with torch.inference_mode():
        return model(input_ids=ids, pixel_values=pixels).logits


def test_the_published_layout_is_merged_like_an_independent_computation(
    model: Any, folder: Path, write: Callable[..., Path]
) -> None:
    lora, extra = toy_adapter(model)
    assert len(lora) == 2 * 2 * len(TARGETS)
    merged_model(model, write(lora, extra))

    other = LlavaForConditionalGeneration.from_pretrained(folder).eval()
    for index, layer in enumerate(other.model.language_model.layers):
        for block, target in [("self_attn", t) for t in TARGETS[:4]] + [("mlp", t) for t in TARGETS[4:]]:
            key = f"base_model.model.model.layers.{index}.{block}.{target}"
            linear = getattr(getattr(layer, block), target)
            low, high = lora[f"{key}.lora_A.weight"], lora[f"{key}.lora_B.weight"]
            linear.register_forward_hook(
                lambda _, inputs, output, low=low, high=high: output + (ALPHA / RANK) * (inputs[0] @ low.T @ high.T)
            )
    for number, layer in (
        ("0", other.model.multi_modal_projector.linear_1),
        ("2", other.model.multi_modal_projector.linear_2),
    ):
        layer.weight.data = extra[f"base_model.model.model.mm_projector.{number}.weight"]
        layer.bias.data = extra[f"base_model.model.model.mm_projector.{number}.bias"]
    assert outputs(model) == pytest.approx(outputs(other), abs=1e-4)


def test_a_key_too_many_or_too_few_stops_the_loading_and_is_named(model: Any, write: Callable[..., Path]) -> None:
    lora, extra = toy_adapter(model)
    unknown = {"base_model.model.model.layers.9.self_attn.q_proj.lora_A.weight": torch.zeros(RANK, 64)}
    with pytest.raises(ModelUnavailable, match=r"layers\.9\.self_attn\.q_proj"):
        merged_model(model, write(lora | unknown, extra))
    del lora["base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight"]
    with pytest.raises(ModelUnavailable, match=r"two matrices of .*layers\.0\.self_attn\.q_proj is missing"):
        merged_model(model, write(lora, extra))


@pytest.mark.parametrize("setting", [{"use_dora": True}, {"bias": "all"}, {"alpha_pattern": {"q_proj": 2}}])
def test_what_is_no_plain_lora_is_refused(model: Any, write: Callable[..., Path], setting: dict[str, Any]) -> None:
    with pytest.raises(ModelUnavailable, match=next(iter(setting))):
        merged_model(model, write(*toy_adapter(model), **setting))


@pytest.fixture
def merged(model: Any, folder: Path, write: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder written by `train merge`."""
    adapter = write(*toy_adapter(model))
    to = adapter / "merged"
    command = ["train", "merge", str(adapter), "--base", str(folder), "--to", str(to), "--dtype", "float32"]
    assert main(command, {}) == 0
    assert f"vllm serve {to}" in capsys.readouterr().out
    return to


def test_a_merged_folder_is_the_model_with_its_adapter_under_the_hubs_names_and_readable_by_all(
    merged: Path, model: Any
) -> None:
    merged_model(model, merged.parent)
    loaded = LlavaForConditionalGeneration.from_pretrained(merged).eval()
    assert torch.equal(outputs(loaded), outputs(model))
    assert AutoProcessor.from_pretrained(merged).tokenizer.convert_tokens_to_ids("<image>")
    assert json.loads((merged / "merged.json").read_text())["adapter"].startswith(f"{merged.parent.name}@")
    assert sorted(path.name for path in merged.parent.iterdir() if path.is_dir()) == ["merged"]
    assert merged.stat().st_mode & 0o777 == 0o755
    assert {path.stat().st_mode & 0o777 for path in merged.iterdir()} == {0o644}
    with safe_open(merged / "model.safetensors", "pt") as file:
        names = set(file.keys())
    assert "language_model.model.layers.0.self_attn.q_proj.weight" in names
    assert "vision_tower.vision_model.embeddings.class_embedding" in names
    starts = ("language_model.model.", "language_model.lm_head.", "vision_tower.vision_model.")
    assert all(name.startswith((*starts, "multi_modal_projector.")) for name in names)


def test_a_folder_that_is_there_is_not_merged_into(
    merged: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "merge", str(merged.parent), "--base", str(folder), "--to", str(merged)], {}) == 2
    assert "already exists. Choose another folder with --to" in capsys.readouterr().err
