"""BLEU-1, BLEU-4, ROUGE-L, CIDEr and Facts F over the judgements of Flickr8k-Expert, and over 100,000 captions.

Run: python -m tests.benchmarks classic. Seconds are of processor time. The memory is the peak of the whole process.
"""

import gzip
import itertools
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from core.captions.document_frequency import corpus_of
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Sample, Score
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import NotHere, Row
from tests.core.metrics.classic import flickr8k, sample

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
    seconds, whole = timed(coco_pairs())
    many = Row(f"{MANY:,} pairs of COCO, 4 metrics", seconds, "s", holds=whole)
    return [first, memory, many]


def coco_pairs() -> list[Sample]:
    """Return pairs of COCO: each caption of a picture with the picture's others as references, from the start again."""
    content = json.loads(gzip.decompress((SHARED / "data/coco/captions_val2017.json.gz").read_bytes()))
    captions: dict[int, list[str]] = {}
    for row in content["annotations"]:
        captions.setdefault(row["image_id"], []).append(row["caption"])
    pairs = [
        sample(text, [other for place, other in enumerate(texts) if place != number])
        for texts in captions.values()
        for number, text in enumerate(texts)
    ]
    return list(itertools.islice(itertools.cycle(pairs), MANY))


def timed(samples: Sequence[Sample], metrics: Sequence[str] = METRICS) -> tuple[float, bool]:
    """Return processor seconds for metrics with the corpus, and whether each sample got a score."""
    start, scored = time.process_time(), 0
    corpus = corpus_of("bench", ((one.references, 1) for one in samples))
    for metric in metrics:
        outcomes = Evaluator().evaluate(metric, samples, ModelSettings(corpus=corpus))
        scored += sum(isinstance(one, Score) for one in outcomes)
    return time.process_time() - start, scored == len(metrics) * len(samples)
