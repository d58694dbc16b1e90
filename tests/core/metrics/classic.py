"""Golden vectors of BLEU, ROUGE-L and CIDEr, and samples for their tests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from core.datasets import format_named
from core.datasets.base import Source
from core.types import ImageRef, Sample

WORDS = st.lists(st.sampled_from("a dog runs on the snow".split()), max_size=9)
SETS = st.lists(WORDS, min_size=1, max_size=4)  # the references of a caption


@dataclass(frozen=True, slots=True)
class Golden:
    """The figures of one pair of Flickr8k-Expert, computed by an independent script."""

    caption: str
    references: tuple[str, ...]
    tokens: list[str]
    bleu: list[float]  # BLEU-1 to BLEU-4
    rouge_l: float
    cider: float


def golden_rows(shared: Path) -> list[Golden]:
    """Return the golden figures with the references of their pictures."""
    rows = json.loads((shared / "golden/classic/flickr8k_400.json").read_text())["rows"]
    found: dict[str, Any] = json.loads((shared / "data/flickr8k/flickr8k.json").read_text())
    return [
        Golden(references=tuple(found[row.pop("image").removesuffix(".jpg")]["ground_truth"]), **row) for row in rows
    ]


@cache
def flickr8k(shared: Path) -> tuple[Sample, ...]:
    """Return the 5,664 pairs of Flickr8k-Expert with the judgements of three people. They are read once."""
    records = format_named("flickr8k-expert").read(Source(shared / "data/flickr8k/flickr8k.json"))
    return tuple(sample(one.candidate, one.references, one.key or "", one.judgements) for one in records)


def sample(
    candidate: str, references: Sequence[str] = (), key: str = "s", judgements: tuple[float, ...] = ()
) -> Sample:
    """Return a sample without a picture."""
    return Sample(key, ImageRef(""), candidate, tuple(references), judgements=judgements)
