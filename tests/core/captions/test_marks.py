"""Marks of whole captions by labels and outlines: one table of pictures, captions and marks.

A picture is a photograph of the demo, or rectangles on 80 × 60 px: "label x0 y0 x1 y1", separated by "; ". For
rectangles, annotators looked for a few of COCO's classes.
"""

import csv
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core.metrics.hice import HICE
from core.models import ModelSettings
from core.models.hice import HiceParts, LabelReader
from core.models.minilm import load_label_encoder
from core.models.parser import DependencyParser
from core.regions import masks
from core.regions.annotated import SampleRegions
from core.types import ImageRef, ImageRegion, Sample, Score

TABLE = Path(__file__).with_name("marks.csv")
REGIONS = Path(__file__).parents[3] / "assets" / "demo" / "regions.json"
SIGNS = {"✓": "correct", "✗": "incorrect", "◌": "not judged"}
CLASSES = (
    "person", "car", "truck", "bus", "bird", "horse", "sheep", "bear", "elephant", "dog", "cat", "cup", "bowl", "cake",
    "chair", "couch", "bed", "potted plant", "wine glass", "hair drier", "sports ball", "teddy bear", "tie", "apple",
    "surfboard", "skis", "oven", "refrigerator", "sink", "toilet",
)  # fmt: skip


@cache
def metric(picture: str) -> HICE:
    if picture.endswith(".jpg"):
        return HICE.load(ModelSettings(options={"regions": str(REGIONS)}))
    parser, regions = DependencyParser.load(), SampleRegions()
    return HICE(HiceParts(parser, regions, load_label_encoder(), LabelReader(parser, regions.vocabulary)))


def image(picture: str) -> ImageRef:
    if picture.endswith(".jpg"):
        rows = json.loads(REGIONS.read_text(encoding="utf-8"))["images"]
        (row,) = (row for row in rows if row["file_name"] == picture)
        return ImageRef(picture, width=row["width"], height=row["height"])
    return ImageRef("boxes", width=80, height=60, regions=tuple(map(box, picture.split("; "))), vocabulary=CLASSES)


def box(text: str) -> ImageRegion:
    label, x0, y0, x1, y1 = text.rsplit(" ", 4)
    mask = np.zeros((60, 80), dtype=bool)
    mask[int(y0) : int(y1), int(x0) : int(x1)] = True
    return ImageRegion(masks.encode(mask), (60, 80), label)


def judged(picture: str, caption: str) -> tuple[str, str]:
    """Return the marked phrases and the labels of the mentioned regions, as in the table."""
    kind = "photo.jpg" if picture.endswith(".jpg") else "boxes"
    (score,) = metric(kind).score([Sample("a", image(picture), caption)])
    assert isinstance(score, Score), score
    signs = {mark: sign for sign, mark in SIGNS.items()}
    phrases = "; ".join(f"{signs[one.mark]} {one.shown or one.text}" for one in score.explanation.phrases)
    mentioned = (one.label or "" for one in score.explanation.regions if one.mentioned and not one.is_full)
    return phrases, "; ".join(mentioned)


def rows() -> list[tuple[str, str, str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [(row["picture"], row["caption"], row["marks"], row["mentioned"]) for row in csv.DictReader(lines)]


@pytest.mark.parametrize(("picture", "caption", "marks", "mentioned"), rows())
def test_a_caption_has_the_marks_of_the_table(picture: str, caption: str, marks: str, mentioned: str) -> None:
    assert judged(picture, caption) == (marks, mentioned)
