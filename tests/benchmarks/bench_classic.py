"""BLEU-1, BLEU-4, ROUGE-L and CIDEr over the judgements of Flickr8k-Expert, and over 100,000 captions.

Run: python -m tests.benchmarks classic. Seconds are of processor time. The memory is the peak of the whole process.
"""

import itertools
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.captions.corpus import corpus_of
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Sample, Score
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import NotHere, Row
from tests.core.metrics.classic import flickr8k

SHARED = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
METRICS = ("BLEU-1", "BLEU-4", "ROUGE-L", "CIDEr")
MANY = 100_000


def run() -> list[Row]:
    """Return seconds and memory for 16,992 pairs, and seconds for 100,000. Raises NotHere without the data."""
    if not SHARED.is_dir():
        raise NotHere(f"the captions of Flickr8k-Expert are not at {SHARED}")
    pairs = flickr8k(SHARED)
    judged = [pair for pair in pairs for _ in pair.judgements]
    seconds, whole = timed(judged)
    first = Row(f"{len(judged):,} pairs, 4 metrics", seconds, "s", most=10.0, holds=whole)
    memory = Row("memory, at most", peak_mb(), "MB", most=300.0)
    many = [
        replace(pair, candidate=f"{pair.candidate} {number}")
        for number, pair in zip(range(MANY), itertools.cycle(pairs), strict=False)
    ]
    seconds, whole = timed(many)
    return [first, memory, Row(f"{MANY:,} different captions, 4 metrics", seconds, "s", holds=whole)]


def timed(samples: Sequence[Sample]) -> tuple[float, bool]:
    """Return processor seconds for all metrics with the corpus, and whether each sample got a score."""
    start, scored = time.process_time(), 0
    corpus = corpus_of("bench", ((one.references, 1) for one in samples))
    for metric in METRICS:
        outcomes = Evaluator().evaluate(metric, samples, ModelSettings(corpus=corpus))
        scored += sum(isinstance(one, Score) for one in outcomes)
    return time.process_time() - start, scored == len(METRICS) * len(samples)
