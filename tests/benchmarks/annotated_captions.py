"""Annotated pictures with the captions people wrote of them, and HICE-S by labels of any caption on any picture."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.metrics.hice import HICE
from core.types import EvaluationError, ImageRef, Sample
from ui.web.json.outcomes import printed_outcome

SEED = 20
Printed = dict[str, Any]  # an outcome as `score --json` prints it


@dataclass(frozen=True, slots=True)
class Picture:
    """An annotated picture with its captions."""

    name: str
    size: tuple[int, int]  # (height, width) in px
    classes: frozenset[str]  # that are annotated
    captions: tuple[str, ...]


def pictures(folder: Path) -> list[Picture]:
    """Return the annotated pictures of a folder that have captions."""
    instances = json.loads((folder / "instances_subset.json").read_text(encoding="utf-8"))
    spoken = json.loads((folder / "captions_subset.json").read_text(encoding="utf-8"))
    names = {row["id"]: row["name"] for row in instances["categories"]}
    classes: dict[int, set[str]] = defaultdict(set)
    for row in instances["annotations"]:
        classes[row["image_id"]].add(names[row["category_id"]])
    captions: dict[int, list[str]] = defaultdict(list)
    for row in spoken["annotations"]:
        captions[row["image_id"]].append(row["caption"].strip())
    return [
        Picture(row["file_name"], (row["height"], row["width"]), frozenset(classes[number]), tuple(captions[number]))
        for row in instances["images"]
        if classes[number := row["id"]] and captions[number]
    ]


def judge(metric: HICE, pairs: Iterable[tuple[Picture, str]]) -> Iterator[Printed]:
    """Yield the outcomes of captions on pictures, as they are printed."""
    samples = [
        Sample(str(n), ImageRef(picture.name, width=picture.size[1], height=picture.size[0]), caption)
        for n, (picture, caption) in enumerate(pairs)
    ]
    for outcome in metric.score(samples):
        if isinstance(outcome, EvaluationError):
            raise SystemExit(f"not judged: {outcome.message}")
        yield printed_outcome(outcome)
