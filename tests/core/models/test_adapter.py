from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import main
from core.errors import ModelUnavailable
from tests.toy_llava import build_toy_llava


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, prepare_torchvision, merged_model, transformers_name
    import torch

    from core.models.adapter import merged_model, transformers_name
    from core.models.device import prepare_torchvision


RANK, ALPHA = 4, 8
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
Adapter = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_toy_llava(tmp_path_factory.mktemp("toy"))


@pytest.fixture
def model(folder: Path) -> Any:
    prepare_torchvision()
    from transformers import LlavaForConditionalGeneration

    return LlavaForConditionalGeneration.from_pretrained(folder).eval()


def published_adapter(model: Any) -> tuple[Adapter, Adapter]:
    """LoRA and projector weights with the names that the original LLaVA gives them."""
    random = torch.Generator().manual_seed(1)
    lora: Adapter = {}
    for name, parameter in model.state_dict().items():
        parts = name.split(".")
        if "language_model" not in parts or len(parts) < 2 or parts[-2] not in TARGETS:
            continue
        original = name.replace("model.language_model.", "model.").removesuffix(".weight")
        rows, columns = parameter.shape
        lora[f"base_model.model.{original}.lora_A.weight"] = torch.randn(RANK, columns, generator=random)
        lora[f"base_model.model.{original}.lora_B.weight"] = torch.randn(rows, RANK, generator=random) * 0.1
    projector = model.model.multi_modal_projector
    extra = {
        f"base_model.model.model.mm_projector.{index}.{kind}": torch.randn(getattr(layer, kind).shape, generator=random)
        for index, layer in ((0, projector.linear_1), (2, projector.linear_2))
        for kind in ("weight", "bias")
    }
    return lora, extra


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(lora: Adapter, extra: Adapter | None = None, **config: Any) -> Path:
        settings = {"r": RANK, "lora_alpha": ALPHA, "peft_type": "LORA", "bias": "none", **config}
        (tmp_path / "adapter_config.json").write_text(json.dumps(settings))
        torch.save(lora, tmp_path / "adapter_model.bin")
        if extra is not None:
            torch.save(extra, tmp_path / "non_lora_trainables.bin")
        return tmp_path

    return written


def outputs(model: Any) -> Any:
    ids = torch.tensor([[1, *[model.config.image_token_id] * 4, 270, 280, 290]])
    pixels = torch.linspace(-1, 1, 3 * 28 * 28).reshape(1, 3, 28, 28)
    with torch.inference_mode():
        return model(input_ids=ids, pixel_values=pixels).logits


def test_the_published_layout_is_merged_like_an_independent_computation(
    model: Any, folder: Path, write: Callable[..., Path]
) -> None:
    from transformers import LlavaForConditionalGeneration

    lora, extra = published_adapter(model)
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


def test_an_adapter_made_by_peft_is_merged_as_peft_merges_it(model: Any, folder: Path, tmp_path: Path) -> None:
    prepare_torchvision()
    from peft import LoraConfig, get_peft_model
    from transformers import LlavaForConditionalGeneration

    trained = LlavaForConditionalGeneration.from_pretrained(folder).eval()
    names = r".*language_model.*\.(q_proj|down_proj)"
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=names, modules_to_save=["multi_modal_projector"])
    adapted = get_peft_model(trained, config).eval()
    torch.manual_seed(2)
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "lora_B" in name or "modules_to_save" in name:
                parameter.normal_(std=0.2)
    expected = outputs(adapted.base_model.model)
    adapted.save_pretrained(tmp_path)
    before = outputs(model)
    merged_model(model, tmp_path)
    assert (outputs(model) - before).abs().max() > 0.01
    assert outputs(model) == pytest.approx(expected, abs=1e-4)


def test_an_unknown_key_stops_the_loading_and_is_named(model: Any, write: Callable[..., Path]) -> None:
    lora, extra = published_adapter(model)
    lora["base_model.model.model.layers.9.self_attn.q_proj.lora_A.weight"] = torch.zeros(RANK, 64)
    with pytest.raises(ModelUnavailable, match=r"layers\.9\.self_attn\.q_proj"):
        merged_model(model, write(lora, extra))


def test_half_a_pair_stops_the_loading_and_is_named(model: Any, write: Callable[..., Path]) -> None:
    lora, extra = published_adapter(model)
    del lora["base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight"]
    with pytest.raises(ModelUnavailable, match=r"two matrices of .*layers\.0\.self_attn\.q_proj is missing"):
        merged_model(model, write(lora, extra))


@pytest.mark.parametrize("setting", [{"use_dora": True}, {"bias": "all"}, {"alpha_pattern": {"q_proj": 2}}])
def test_what_is_no_plain_lora_is_refused(model: Any, write: Callable[..., Path], setting: dict[str, Any]) -> None:
    with pytest.raises(ModelUnavailable, match=next(iter(setting))):
        merged_model(model, write(*published_adapter(model), **setting))


def test_rank_stabilised_scaling_is_read(model: Any, folder: Path, write: Callable[..., Path]) -> None:
    key = "base_model.model.model.layers.0.self_attn.q_proj"
    lora = {f"{key}.lora_A.weight": torch.ones(RANK, 64), f"{key}.lora_B.weight": torch.ones(64, RANK)}
    before = model.model.language_model.layers[0].self_attn.q_proj.weight.clone()
    merged_model(model, write(lora, use_rslora=True))
    change = model.model.language_model.layers[0].self_attn.q_proj.weight - before
    assert change.detach().numpy() == pytest.approx(RANK * ALPHA / RANK**0.5, abs=1e-5)


@pytest.fixture
def merged(model: Any, folder: Path, write: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder written by `train merge`."""
    adapter = write(*published_adapter(model))
    to = adapter / "merged"
    command = ["train", "merge", str(adapter), "--base", str(folder), "--to", str(to), "--dtype", "float32"]
    assert main(command, {}) == 0
    assert f"vllm serve {to}" in capsys.readouterr().out
    return to


def test_a_merged_folder_can_be_read_by_a_server_of_another_user(merged: Path) -> None:
    assert merged.stat().st_mode & 0o777 == 0o755
    assert {path.stat().st_mode & 0o777 for path in merged.iterdir()} == {0o644}


def test_a_merged_folder_is_loaded_as_the_model_with_its_adapter(merged: Path, model: Any) -> None:
    from transformers import AutoProcessor, LlavaForConditionalGeneration

    merged_model(model, merged.parent)
    loaded = LlavaForConditionalGeneration.from_pretrained(merged).eval()
    assert torch.equal(outputs(loaded), outputs(model))
    assert AutoProcessor.from_pretrained(merged).tokenizer.convert_tokens_to_ids("<image>")
    assert json.loads((merged / "merged.json").read_text())["adapter"].startswith(f"{merged.parent.name}@")
    assert sorted(path.name for path in merged.parent.iterdir() if path.is_dir()) == ["merged"]


def test_a_merged_folder_bears_the_hubs_names_for_its_weights(merged: Path) -> None:
    from safetensors import safe_open

    with safe_open(merged / "model.safetensors", "pt") as file:
        names = set(file.keys())
    assert "language_model.lm_head.weight" in names and "multi_modal_projector.linear_1.bias" in names
    assert "language_model.model.layers.0.self_attn.q_proj.weight" in names
    assert "vision_tower.vision_model.embeddings.class_embedding" in names
    starts = (
        "language_model.model.",
        "language_model.lm_head.",
        "vision_tower.vision_model.",
        "multi_modal_projector.",
    )
    assert all(name.startswith(starts) for name in names)


def test_a_folder_that_is_there_is_not_merged_into(
    merged: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "merge", str(merged.parent), "--base", str(folder), "--to", str(merged)], {}) == 2
    assert "already exists. Choose another folder with --to" in capsys.readouterr().err
