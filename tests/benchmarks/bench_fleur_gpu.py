"""Seconds a sample at LLaVA-1.5 13b's size on a GPU, with random weights in bfloat16.

Run on a GPU with 40 GB or more: python -m tests.benchmarks fleur_gpu

The papers report for one sample on an A100: FLEUR 0.32 s, with explanation 2.76 s; EXPERT 0.36 s and 3.80 s.
Random weights do not write scores and explanations of a natural length. So every score has 6 tokens here, as " 0.84"
and its end have, and every explanation has 100.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from PIL import Image

from core.metrics.expert import EXPLANATION_PROMPT, explanation_prompt, score_prompt
from core.metrics.fleur import CRITERIA, PROMPT, WHY
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.vlm.llava_prompt import SYSTEM
from tests.benchmarks.bench_fleur import CAPTIONS
from tests.benchmarks.rows import NotHere, Row
from tests.toy_llava import teach_to_count, toy_tokenizer

SCORE_TOKENS = 6
EXPLANATION_TOKENS = 100
PAPERS_S = {("FLEUR", False): 0.32, ("FLEUR", True): 2.76, ("EXPERT", False): 0.36, ("EXPERT", True): 3.80}


@dataclass(frozen=True)
class Layout:
    """How many captions of how many images are judged at a time."""

    name: str
    images: int
    captions: int


LAYOUTS = (
    Layout("one sample at a time", 1, 1),
    Layout("8 images, a caption each", 8, 1),
    Layout("6 captions of one image", 1, 6),
    Layout("32 images, a caption each", 32, 1),
    Layout("16 images, 6 captions each", 16, 6),
)


def build(toy: bool) -> tuple[Any, Any]:
    """Return model and processor with random weights, at 13b's size on the GPU or at toy size on the CPU."""
    prepare_torchvision()
    from transformers import CLIPImageProcessor, LlavaForConditionalGeneration, LlavaProcessor

    words = re.findall(r"[A-Za-z]+", " ".join([SYSTEM, PROMPT, CRITERIA, WHY, EXPLANATION_PROMPT, *CAPTIONS]))
    tokenizer = toy_tokenizer(words)
    config = configured(toy, tokenizer)
    torch.manual_seed(7)
    torch.set_default_dtype(torch.float32 if toy else torch.bfloat16)
    try:
        with torch.device("cpu" if toy else "cuda"):
            model = LlavaForConditionalGeneration(config).eval()
    finally:
        torch.set_default_dtype(torch.float32)
    teach_to_count(model, tokenizer)
    side = config.vision_config.image_size
    images = CLIPImageProcessor(size={"shortest_edge": side}, crop_size={"height": side, "width": side})
    return model, LlavaProcessor(image_processor=images, tokenizer=tokenizer, patch_size=14)


def configured(toy: bool, tokenizer: Any) -> Any:
    """Return the configuration of LLaVA-1.5 13b, or of something small."""
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig

    vision = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
    text = {"hidden_size": 5120, "intermediate_size": 13824, "num_hidden_layers": 40, "num_attention_heads": 40}
    if toy:
        vision = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
        text = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2}
    return LlavaConfig(
        vision_config=CLIPVisionConfig(image_size=28 if toy else 336, patch_size=14, **vision),
        text_config=LlamaConfig(vocab_size=32_064, bos_token_id=1, eos_token_id=2, **text),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
    )


def seconds(vlm: Any, metric: str, layout: Layout, explain: bool) -> float:
    """Return seconds a sample, best of three."""
    random = np.random.default_rng(0)
    images = [Image.fromarray(random.integers(0, 255, (30, 40, 3), dtype=np.uint8)) for _ in range(layout.images)]
    rows = [image for image in range(layout.images) for _ in range(layout.captions)]
    captions = (CAPTIONS * layout.images)[: len(rows)]
    times = [judged(vlm, metric, images, rows, captions, explain) for _ in range(3)]
    return min(times) / len(rows)


def judged(
    vlm: Any, metric: str, images: Sequence[Image.Image], rows: Sequence[int], captions: Sequence[str], explain: bool
) -> float:
    """Hold both turns once; returns seconds."""
    fleur = metric == "FLEUR"
    asked = [PROMPT.format(criteria=CRITERIA, candidate=c) if fleur else score_prompt(c) for c in captions]
    decoding = replace(vlm.decoding, ends=frozenset())
    start = time.perf_counter()
    vlm.decoding = replace(decoding, max_new_tokens=SCORE_TOKENS)
    conversations = vlm.open(images, rows)
    conversations.ask_score(asked)
    if explain:
        vlm.decoding = replace(decoding, max_new_tokens=EXPLANATION_TOKENS)
        conversations.record(["0.83984375"] * len(rows))
        conversations.ask([WHY if fleur else explanation_prompt(c) for c in captions])
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - start


def run(toy: bool = False) -> list[Row]:
    """Return seconds a sample, the papers' beside ours; toy only goes through the steps, on a CPU."""
    if not toy and not torch.cuda.is_available():
        raise NotHere("needs a GPU with 40 GB")
    from core.models.vlm.llava import LlavaVlm

    vlm = LlavaVlm(*build(toy), {"model": "random"})
    rows = [
        Row(
            f"13b, {metric}{' with explanation' if explain else ''}, {layout.name}",
            seconds(vlm, metric, layout, explain),
            "s",
            theirs=papers,
            other="the paper's, on an A100, one at a time",
        )
        for (metric, explain), papers in PAPERS_S.items()
        for layout in LAYOUTS
    ]
    peak_gb = torch.cuda.max_memory_allocated() / 1e9 if torch.cuda.is_available() else 0.0
    return [*rows, Row("13b, peak GPU memory", peak_gb, "GB")]
