"""FLEUR's two turns, ours against the published procedure, over the same randomly initialised LLaVA.

The published code runs one whole `generate` a caption and turn. Run: python -m tests.benchmarks fleur
The model has the real 576 image tokens and prompts of about their real length, but few and small layers, so that it
takes seconds on a CPU. It answers with a score and ends there, as LLaVA does; explanations are 64 tokens in both,
whatever the model would have said. Seconds are of processor time, which other programs do not stretch.
"""

import re
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from core.metrics.fleur import CRITERIA, PROMPT, WHY
from core.metrics.vlm_judge import printed
from core.models.vlm.llava_prompt import SYSTEM
from core.score_reading.smoothing import smooth
from tests.benchmarks.rows import Row
from tests.toy_llava import build_toy_llava

IMAGES = 2
END_WEIGHT = 1.3  # how soon the model ends a number
EXPLANATION_TOKENS = 64
LONGEST_ANSWER = 8  # tokens: a blank, "0.85", the end
CAPTIONS = (
    "A brown dog runs across the wet grass with a red ball in its mouth .",
    "Two children are playing on a swing in a park on a sunny day .",
    "A man in a blue shirt is standing on a ladder cleaning a window .",
    "The dog is swimming .",
    "A group of people sit around a table and eat dinner together in a restaurant .",
    "A black and white dog jumps over a fallen tree in the forest .",
    "A woman is riding a bicycle along a narrow street between old houses .",
    "Several birds are sitting on a wire above the street .",
)
FASTER = {"score, 6 captions": 3.0, "score and explanation, 6 captions": 2.0}  # how many times, at least
TOLERANCE = 1e-4  # between the scores of the two


def run(captions_an_image: Sequence[int] = (1, 2, 4, 6, 8)) -> list[Row]:
    """Return a row for scores at each number of captions an image, and one for six with explanations."""
    with tempfile.TemporaryDirectory() as folder:
        model, processor = load(Path(folder))
    compare("warming up", model, processor, 1, False)
    counted = [compare(f"score, {count} captions", model, processor, count, False) for count in captions_an_image]
    return [*counted, compare("score and explanation, 6 captions", model, processor, 6, True)]


def load(folder: Path) -> tuple[Any, Any]:
    """Build the model and load it as ours would."""
    texts = " ".join([SYSTEM, PROMPT, CRITERIA, WHY, *CAPTIONS, "USER ASSISTANT"])
    build_toy_llava(
        folder,
        hidden=384,
        layers=6,
        image_size=336,
        vision_hidden=128,
        end_weight=END_WEIGHT,
        words=re.findall(r"[A-Za-z]+", texts),
    )
    from transformers import AutoProcessor, LlavaForConditionalGeneration

    return LlavaForConditionalGeneration.from_pretrained(folder).eval(), AutoProcessor.from_pretrained(folder)


def compare(name: str, model: Any, processor: Any, captions: int, explain: bool) -> Row:
    """Time both on the same images and captions."""
    random = np.random.default_rng(0)
    images = [Image.fromarray(random.integers(0, 255, (30, 40, 3), dtype=np.uint8)) for _ in range(IMAGES)]
    prompts = [PROMPT.format(criteria=CRITERIA, candidate=caption) for caption in CAPTIONS[:captions]]
    ours, ours_s, ours_mb = measured(lambda: judge_ours(model, processor, images, prompts, explain))
    theirs, theirs_s, theirs_mb = measured(lambda: judge_theirs(model, processor, images, prompts, explain))
    samples = len(images) * captions
    difference = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    return Row(
        f"{name} of each of {IMAGES} images, processor time a sample",
        ours_s / samples,
        "s",
        theirs=theirs_s / samples,
        other="published procedure",
        most_ratio=1 / FASTER[name] if name in FASTER else None,
        holds=difference < TOLERANCE,
        note=f"{theirs_s / ours_s:.1f}x faster; peak memory +{ours_mb:.0f} MB, theirs +{theirs_mb:.0f} MB; "
        f"scores differ by {difference:.0e}",
    )


def judge_ours(
    model: Any, processor: Any, images: Sequence[Image.Image], prompts: Sequence[str], explain: bool
) -> list[float]:
    """Score, and explain, the way Capscope does: the captions of an image at a time."""
    from core.models.vlm.llava import LlavaVlm

    vlm = LlavaVlm(model, processor, {"model": "bench"})
    decoding = vlm.decoding
    scores: list[float] = []
    for image in images:
        vlm.decoding = decoding
        conversations = vlm.open([image], [0] * len(prompts))
        some = [smooth(reply.pieces, reply.digits).value for reply in conversations.ask_score(prompts)]
        if explain:
            vlm.decoding = replace(decoding, ends=frozenset(), max_new_tokens=EXPLANATION_TOKENS)
            conversations.record([printed(score) for score in some])
            conversations.ask([WHY] * len(prompts))
        scores += some
    return scores


def judge_theirs(
    model: Any, processor: Any, images: Sequence[Image.Image], prompts: Sequence[str], explain: bool
) -> list[float]:
    """Score, and explain, the way the published code does: one caption and turn at a time."""
    from tests.published_procedure import generate_answer

    scores: list[float] = []
    for image in images:
        for prompt in prompts:
            reply = generate_answer(model, processor, image, [(prompt, None)], 512)
            if len(reply.pieces) > LONGEST_ANSWER:
                raise ValueError(f"the model rambles, so that the comparison would flatter ours: {reply.pieces}")
            scores.append(smooth(reply.pieces, reply.digits).value)
            if explain:
                turns = [(prompt, printed(scores[-1])), (WHY, None)]
                generate_answer(model, processor, image, turns, EXPLANATION_TOKENS, to_the_end=False)
    return scores


def measured(work: Callable[[], list[float]]) -> tuple[list[float], float, float]:
    """Return what the work returns, its seconds of processor time, and how far memory rose during it, in MB."""
    work_done = threading.Event()
    before = peak = resident_mb()

    def watch() -> None:
        nonlocal peak
        while not work_done.wait(0.005):
            peak = max(peak, resident_mb())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    start = time.process_time()
    result = work()
    seconds = time.process_time() - start
    work_done.set()
    watcher.join()
    return result, seconds, peak - before


def resident_mb() -> float:
    """Return the memory this process has in use, in MB; 0 where the system does not tell."""
    facts = Path("/proc/self/statm")
    return int(facts.read_text().split()[1]) * 4096 / 1e6 if facts.is_file() else 0.0
