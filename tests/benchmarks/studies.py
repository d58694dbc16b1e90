"""Studies made for benchmarks, through the same services as anybody's."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from core.studies.design import StudyDesign
from storage.study_types import Study
from ui.services.importing.importing import import_files
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

RATIONALE = "The caption names the main subject and what it does, but leaves out what stands behind it."


@contextmanager
def workplace(data_dir: Path) -> Iterator[Workplace]:
    """Open a data folder, made if need be."""
    opened = open_workplace(Settings(data_dir=data_dir))
    try:
        yield opened
    finally:
        opened.repository.close()


def make_study(place: Workplace, folder: Path, items: int, pictures: Path | None = None) -> Study:
    """Import samples with one explanation each, with the pictures of a folder, and make an unveiled study of all."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "samples.jsonl"
    with file.open("w") as lines:
        for number in range(items):
            name = f"{number:05d}.jpg"
            score = {"metric": "M", "value": number % 100 / 100, "rationales": {"overall": RATIONALE}}
            row = {"id": str(number), "image": name, "caption": f"Scene number {number} of many.", "scores": [score]}
            lines.write(json.dumps(row) + "\n")
    import_files(place, "jsonl", [file], "bench", [] if pictures is None else [pictures])
    return services.create_study(place, StudyDesign("bench", "bench", seed=0, veil=False))


def write_pictures(folder: Path, count: int) -> Path:
    """Write photograph-like pictures of 500 × 375 px: blurred noise, about 40 kB each. Returns their folder."""
    folder.mkdir()
    for number in range(count):
        noise = np.random.default_rng(number).integers(0, 256, (375, 500, 3), np.uint8)
        Image.fromarray(noise).filter(ImageFilter.GaussianBlur(1.5)).save(folder / f"{number:05d}.jpg", quality=85)
    return folder
