"""A LlavaForConditionalGeneration small enough to be taught eight captions in seconds, with its processor."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import torch
from PIL import Image

from core.metrics.asking import filled
from core.metrics.expert import EXPLANATION_PROMPT, SCORE_PROMPT, explanation_answer
from core.models.device import prepare_torchvision
from core.models.vlm import llava_v1

prepare_torchvision()

from tokenizers import Tokenizer, models, pre_tokenizers, trainers  # noqa: E402
from transformers import (  # noqa: E402
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    LlamaConfig,
    LlamaTokenizer,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
)

CAPTIONS = ("dog", "cat", "bird", "horse", "tree", "boat", "car", "house")
SCORES = (0.0, 0.1, 0.3, 0.4, 0.5, 0.7, 0.9, 1.0)
COLOURS = ("red", "lime", "blue", "yellow", "magenta", "cyan", "white", "black")


def eight_rows() -> list[dict[str, object]]:
    """Return eight rows of Polaris-exp, with eight scores and short explanations."""
    return [
        {"id": f"train_{n}", "imgid": str(n), "mt": f"{word} {word}", "score": score, "explanation": reasons(score)}
        for n, (word, score) in enumerate(zip(CAPTIONS, SCORES, strict=True))
    ]


def reasons(score: float) -> dict[str, str]:
    """Return the explanation that goes with a score."""
    relevance = "It is so." if score > 0.6 else "It is not so, there is something else."
    return {"fluency": "It reads well.", "relevance": relevance, "descriptiveness": "It is short."}


def eight_pictures(folder: Path) -> list[Path]:
    """Write eight pictures of one colour each, wider than high."""
    paths = [folder / f"{number}.jpg" for number in range(8)]
    for path, colour in zip(paths, COLOURS, strict=True):
        Image.new("RGB", (40, 28), colour).save(path)
    return paths


@cache
def tiny_tokenizer() -> Any:
    """Return a Llama tokenizer with long tokens for what is in the conversations, and digits one by one."""
    trained = Tokenizer(models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    trained.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(split=False),
            pre_tokenizers.Split(":", "merged_with_previous"),  # else "ASSISTANT: " would join with the answer
            pre_tokenizers.Digits(individual_digits=True),
        ]
    )
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    alphabet = list("0123456789.\u2581")
    trainer = trainers.BpeTrainer(
        vocab_size=2000, special_tokens=special, initial_alphabet=alphabet, max_token_length=30, show_progress=False
    )
    trained.train_from_iterator(_pieces(), trainer)
    model = json.loads(trained.to_str())["model"]
    tokenizer = LlamaTokenizer(vocab=model["vocab"], merges=[tuple(pair) for pair in model["merges"]])
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"], "pad_token": "<pad>"})
    tokenizer.add_bos_token = True
    return tokenizer


def _pieces() -> Iterator[str]:
    """Yield what stands between answers and questions, so that no token reaches from one into the other."""
    for word, score in zip(CAPTIONS, SCORES, strict=True):
        ask, why = (filled(prompt, f"{word} {word}") for prompt in (SCORE_PROMPT, EXPLANATION_PROMPT))
        yield llava_v1([(ask, None)]).split("<image>")[0]
        yield llava_v1([(ask, None)]).rpartition("<image>")[2]
        yield f" {score}"
        yield f"USER: {why} ASSISTANT:"
        yield f" {explanation_answer(reasons(score))}"


def tiny_llava() -> tuple[Any, Any]:
    """Return model and processor with random weights of seed 0, large enough for frozen layers to say something."""
    tokenizer = tiny_tokenizer()
    images = CLIPImageProcessorPil(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    processor = LlavaProcessor(
        images, tokenizer, patch_size=14, vision_feature_select_strategy="default", num_additional_image_tokens=1
    )
    torch.manual_seed(0)
    model = LlavaForConditionalGeneration(_config(tokenizer))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "embed_tokens" in name or "lm_head" in name:
                weight *= 25
            elif weight.ndim == 2 and "language_model" not in name:
                weight *= 5
    return model.eval(), processor


def _config(tokenizer: Any) -> LlavaConfig:
    vision = CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=3, num_attention_heads=4, image_size=28, patch_size=14
    )
    text = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4
    )
    return LlavaConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=4,
    )
