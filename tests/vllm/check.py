"""EXPERT over a real vLLM on this machine's cores, against the same toy model loaded here.

Run: python -m tests.vllm.check FOLDER (of the environment that environment.sh made). Prints what
it compared; the exit code is 1 where something differs by more than it may.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image

from core.long_work.parallel import side_by_side
from core.metrics.expert import Expert
from core.models import Endpoint, ModelSettings
from core.types import ImageRef, Outcome, Sample, Score
from tests.toy_llava import build_toy_llava, toy_adapter, write_adapter

ROOT = Path(__file__).resolve().parents[2]
SIDE = 56  # px of the toy's pictures
LONGEST = 48  # tokens of an explanation; the toy's end sooner or never
TOLERANCE = 1e-5  # between scores, float32 on both sides
READY_S = 900.0  # on a machine that does much else, too
QUIET = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
}


def main(environment: Path) -> int:
    """Compare; returns the exit code."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        samples = list(draw_samples(work))
        base = build_toy_llava(work / "toy", hidden=128, image_size=SIDE, vision_hidden=64, end_weight=1.5)
        adapter, merged = merge(work, base)
        with served(environment, merged, work) as url:
            is_good = compare(url, ModelSettings(model=str(base), adapter=str(adapter)), samples)
    return 0 if is_good else 1


def draw_samples(work: Path) -> Iterator[Sample]:
    """Yield captions of pictures of noise."""
    random = np.random.default_rng(5)
    for number in range(6):
        path = work / f"{number}.png"
        pixels = random.integers(0, 255, (3, 4, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((60 + 9 * number, 50)).save(path)
        for caption in ("a dog", "Two dogs are running over a wide green lawn.", "A cat!"):
            yield Sample(f"{number} {caption}", ImageRef(path.name, path), caption, ("A thing .", "Two  things"))


def merge(work: Path, base: Path) -> tuple[Path, Path]:
    """Return an adapter with projector, and the folder that `train merge` makes of it."""
    from transformers import LlavaForConditionalGeneration

    from app import main as capscope

    adapter = work / "adapter"
    adapter.mkdir()
    write_adapter(adapter, *toy_adapter(LlavaForConditionalGeneration.from_pretrained(base), loud=0.02))
    command = ["train", "merge", str(adapter), "--base", str(base), "--to", str(work / "merged"), "--dtype", "float32"]
    assert capscope(command, {}) == 0
    return adapter, work / "merged"


@contextmanager
def served(environment: Path, model: Path, work: Path) -> Iterator[str]:
    """Serve a folder with vLLM; yields the address of the API."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(str(environment / "bin" / "vllm"), "serve", str(model), "--served-model-name", "expert", "--port", str(port)),
        *("--host", "127.0.0.1", "--dtype", "float32", "--max-model-len", "2048", "--generation-config", "vllm"),
        *("--chat-template", str(ROOT / "assets" / "llava_v1.jinja"), "--limit-mm-per-prompt", '{"image":1}'),
        *("--enforce-eager", "--max-num-seqs", "8"),
    ]
    log = (work / "vllm.log").open("w")
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=os.environ | QUIET, cwd=work)
    try:
        while not answers(port):
            if process.poll() is not None or time.monotonic() - started > READY_S:
                sys.exit(f"vLLM did not start:\n{(work / 'vllm.log').read_text()[-6000:]}")
            time.sleep(0.5)
        print(f"vLLM serves after {time.monotonic() - started:.0f} s")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(60)
        log.close()


def answers(port: int) -> bool:
    """Whether a server is ready."""
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def compare(url: str, settings: ModelSettings, samples: Sequence[Sample]) -> bool:
    """Judge here, over HTTP one by one, and eight at a time; print how far apart they are."""
    explained = replace(settings, explain=True, device="cpu")
    ours: Any = Expert.load(explained)
    ours.vlm.max_new_tokens = LONGEST
    wanted = ModelSettings(endpoint=Endpoint(url), explain=True, options={"side": str(SIDE)}, batch_size=1)
    theirs: Any = Expert.load(wanted)
    theirs = type(theirs)(replace(theirs.vlm, max_tokens=LONGEST), wanted)
    print(theirs.signature())
    local = list(ours.score(samples))
    together = dict(side_by_side(lambda pair: (pair[0], next(theirs.score([pair[1]]))), enumerate(samples), 8))
    return all(
        [
            agree("one by one", local, list(theirs.score(samples))),
            agree("eight at a time", local, [together[place] for place in range(len(samples))]),
        ]
    )


def agree(what: str, ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> bool:
    """Print the largest difference; return whether all scores and explanations agree."""
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if isinstance(a, Score) and isinstance(b, Score)]
    largest = max((abs(a.value - b.value) for a, b in pairs), default=1.0)
    same = sum(a.explanation == b.explanation for a, b in pairs)
    print(f"{what}: {len(pairs)} of {len(ours)} scores; largest difference {largest:.1e}; equal explanations: {same}")
    print(*(one for one in (*ours, *theirs) if not isinstance(one, Score)), sep="\n")
    return len(pairs) == len(ours) and largest <= TOLERANCE and same == len(pairs)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))
