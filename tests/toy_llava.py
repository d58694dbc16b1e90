"""A LLaVA of the real classes at toy size, with random weights, in a folder.

Its embeddings are large and its output layer expects after "ASSISTANT:" a blank, then "0", ".", and digits: so it
answers with scores such as "0.75", and which digits they hold depends on everything it has read.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from core.models.device import prepare_torchvision
from tests.once import made_once

CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;!?'\"()-~/{}*_"
SPACE = "\u2581"


def toy_tokenizer() -> Any:
    """A LlamaTokenizer with one token a character, bytes for the rest, and "<image>"."""
    prepare_torchvision()
    from transformers import LlamaTokenizer

    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), SPACE, *CHARACTERS]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    tokenizer = LlamaTokenizer(vocab=vocabulary, merges=[], pad_token="</s>")
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    return tokenizer


def build_toy_llava(
    folder: Path, hidden: int = 64, image_size: int = 28, vision_hidden: int = 32, end_weight: float = 0.8
) -> Path:
    """Write model, processor and tokenizer to a folder; (image_size / 14) ** 2 image tokens a picture."""
    tokenizer = toy_tokenizer()
    import torch
    from transformers import (
        CLIPImageProcessor,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    torch.manual_seed(7)
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(
            hidden_size=vision_hidden,
            intermediate_size=2 * vision_hidden,
            num_hidden_layers=2,
            num_attention_heads=2,
            image_size=image_size,
            patch_size=14,
            initializer_range=0.12,
        ),
        text_config=LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=2 * hidden,
            num_hidden_layers=2,
            num_attention_heads=max(2, hidden // 64),
            max_position_embeddings=2048,
            initializer_range=0.12 * (64 / hidden) ** 0.5,
            bos_token_id=1,
            eos_token_id=2,
        ),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
    )
    model = LlavaForConditionalGeneration(config).eval()
    teach_to_count(model, tokenizer, end_weight)
    model.save_pretrained(folder)
    sizes = {"size": {"shortest_edge": image_size}, "crop_size": {"height": image_size, "width": image_size}}
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessor(**sizes),
        tokenizer=tokenizer,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )
    processor.save_pretrained(folder)
    return folder


def teach_to_count(model: Any, tokenizer: Any, end_weight: float = 0.8) -> None:
    """Let the output layer prefer what follows each character in a score."""
    import torch

    ids = {text: tokenizer.convert_tokens_to_ids(text) for text in [*CHARACTERS, SPACE, "</s>"]}
    digits = [ids[digit] for digit in "56789"]
    with torch.no_grad():
        embedding = model.get_input_embeddings().weight
        embedding.normal_()
        model.model.multi_modal_projector.linear_2.weight.normal_(std=0.5)  # pictures as loud as words
        output = model.get_output_embeddings().weight
        scale = (64 / output.shape[1]) ** 0.5  # so that logits are as at the default size
        output.normal_(std=0.02 * scale)
        output[digits] = (
            torch.randn(len(digits), output.shape[1]).to(output) * 0.3 * scale
        )  # also on a GPU, in bfloat16

        def follows(token: str, followers: Iterable[int], weight: float) -> None:
            for follower in followers:
                output[follower] += scale * weight * embedding[ids[token]] / embedding[ids[token]].norm()

        follows(":", [ids[SPACE]], 8)
        follows(SPACE, [ids["0"]], 8)
        follows("0", [ids["."]], 8)
        follows(".", digits, 4)
        for digit in "56789":
            follows(digit, digits, 4)
            follows(digit, [ids["</s>"]], 5 * end_weight)


def toy_adapter(model: Any, rank: int = 4, loud: float = 0.1) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return random LoRA and projector weights of a toy, with the names that the original LLaVA gives them."""
    import torch

    random = torch.Generator().manual_seed(1)
    lora = {}
    for name, parameter in model.state_dict().items():
        if "language_model" not in name or not name.endswith("_proj.weight"):
            continue
        original = name.replace("model.language_model.", "model.").removesuffix(".weight")
        rows, columns = parameter.shape
        lora[f"base_model.model.{original}.lora_A.weight"] = torch.randn(rank, columns, generator=random)
        lora[f"base_model.model.{original}.lora_B.weight"] = torch.randn(rows, rank, generator=random) * loud
    projector = model.model.multi_modal_projector
    extra = {
        f"base_model.model.model.mm_projector.{place}.{kind}": torch.randn(weight.shape, generator=random) * loud
        + weight
        for place, layer in ((0, projector.linear_1), (2, projector.linear_2))
        for kind, weight in layer.state_dict().items()
    }
    return lora, extra


def write_adapter(folder: Path, lora: dict[str, Any], extra: dict[str, Any], **config: Any) -> Path:
    """Write an adapter in the published layout, of rank 4 unless config says otherwise."""
    import torch

    settings = {"r": 4, "lora_alpha": 8, "peft_type": "LORA", "bias": "none", **config}
    (folder / "adapter_config.json").write_text(json.dumps(settings))
    torch.save(lora, folder / "adapter_model.bin")
    if extra:
        torch.save(extra, folder / "non_lora_trainables.bin")
    return folder


def shared_toy_llava(factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a toy that answers with few words, the same for all processes of a run."""
    return made_once(factory, "toy-llava", lambda folder: build_toy_llava(folder, end_weight=1.5))


@contextmanager
def led(model: Any, tokenizer: Any, answers: Sequence[str]) -> Iterator[None]:
    """Let row i of every batch write answers[i] and end, each token a little likelier than what the toy would say.

    The other tokens keep their chances, so that the digits' still depend on everything that was read.
    """
    import torch

    scripts = [[*tokenizer.encode(text, add_special_tokens=False), tokenizer.eos_token_id] for text in answers]
    original, step = model.forward, -1

    @wraps(original)
    def forward(*given: Any, **options: Any) -> Any:
        nonlocal step
        step += 1
        output = original(*given, **options)
        logits = output.logits[:, -1]
        wanted = torch.tensor([script[min(step, len(script) - 1)] for script in scripts])[:, None]
        logits.scatter_(1, wanted, logits.amax(dim=1, keepdim=True) + 1)
        return output

    model.forward = forward
    try:
        yield
    finally:
        del model.forward
