"""Regions: encoded in batches beside one by one, drawn as one SVG beside gr.AnnotatedImage, and a caption edited.

Run with ``python tests/benchmarks/bench_regions.py`` ("--quick" leaves out the ViT-L/14). Times are of this process
on the processor, so that a busy machine changes them little; the shortest of a few runs counts, except for the edited
caption, where the 95th percentile of wall-clock times does. Imports and the making of data are left out.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core import masks, outlines
from core.metrics.hice import HICE
from core.models import ModelSettings
from core.regions import with_full
from core.types import Explanation, ImageRef, ImageRegion, Phrase, Region, Sample, Score
from tests.benchmarks import rows as rows_of_all
from ui.overlay import overlay

HD, FULL_HD = (720, 1280), (1080, 1920)  # (height, width) in px
ENCODED = 4  # regions through the ViT-L/14
EDITS = 60
RUNS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement, beside another way or a limit."""

    name: str
    ms: float
    other: str
    other_ms: float
    note: str = ""

    def text(self) -> str:
        """Return a line for people."""
        ratio = self.other_ms / self.ms
        return f"{self.name:58} {self.ms:9.1f} ms   {self.other:34} {self.other_ms:9.1f} ms   ×{ratio:.1f}  {self.note}"


def blobs(count: int, size: tuple[int, int] = HD) -> list[masks.Mask]:
    """Return wavy discs of 20 px to a third of the height across, seeded."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[: size[0], : size[1]]
    found = []
    for _ in range(count):
        dy, dx = y - rng.uniform(0, size[0]), x - rng.uniform(0, size[1])
        turn = np.arctan2(dy, dx)
        waves = 1 + 0.2 * np.sin(rng.integers(3, 9) * turn) + 0.03 * np.sin(31 * turn)
        found.append(np.hypot(dy, dx) < rng.uniform(20, size[0] / 3) * waves)
    return found


def shortest(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the shortest processor time of a few runs, in ms."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def encoding_masks(size: tuple[int, int]) -> Row:
    """A hundred masks to run lengths, and from those to outlines."""
    found = blobs(100, size)
    encoded = [masks.encode(mask) for mask in found]
    encode_ms = shortest(lambda: [masks.encode(mask) for mask in found])
    draw_ms = shortest(lambda: [outlines.svg_path.__wrapped__(rle, size) for rle in encoded])
    name = f"100 masks of {size[1]}×{size[0]} encoded and drawn"
    return Row(name, encode_ms + draw_ms, "limit" if size == HD else "limit of HD", 100.0)


def drawing(count: int) -> Iterator[Row]:
    """An explanation drawn, beside Gradio's own component."""
    import gradio as gr

    found = blobs(count)
    encoded = [masks.encode(mask) for mask in found]
    phrase = Phrase("dog on sofa", (0, 11), 0.6, 0)
    regions = tuple(Region(rle, HD, f"region {i}", False, i / count, 0) for i, rle in enumerate(encoded))
    shown = Explanation(phrases=(phrase,), regions=regions)
    picture = np.zeros((*HD, 3), np.uint8)
    annotations = [(mask.astype(np.float32), f"region {i}") for i, mask in enumerate(found)]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder
        component = gr.AnnotatedImage()
        theirs = shortest(lambda: component.postprocess((picture, annotations)), runs=2)
        written = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    svg = overlay(shown, 0.5)

    def afresh() -> str:
        outlines.svg_path.cache_clear()
        return overlay(shown, 0.5)

    note = f"{len(svg) / 1e3:,.0f} kB beside {written / 1e3:,.0f} kB of files"
    yield Row(f"{count} regions as one SVG", shortest(afresh), "gr.AnnotatedImage", theirs, note)


def encoding() -> Iterator[Row]:
    """Regions through Alpha-CLIP ViT-L/14 with random weights, together and one by one."""
    from core.models.random_parts import random_alpha_clip

    encoder = random_alpha_clip(batch_size=ENCODED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.jpg"
        noise = np.random.default_rng(0).integers(0, 256, (HD[0] // 8, HD[1] // 8, 3), np.uint8)
        Image.fromarray(noise).resize(HD[::-1]).save(path)
        image = ImageRef(path.name, path)
        regions = with_full([ImageRegion(masks.encode(mask), HD) for mask in blobs(ENCODED - 1)], HD)
        together = shortest(lambda: encoder.encode_regions(image, regions), runs=1)
        alone = shortest(lambda: [encoder.encode_regions(image, [region]) for region in regions], runs=1)
    yield Row(f"{ENCODED} regions through ViT-L/14 in one batch", together, "one by one", alone)


def editing(shared: Path) -> Iterator[Row]:
    """A caption edited word by word on a COCO picture: HICE-S with the label encoder, then the new overlay."""
    folder = shared / "data" / "coco"
    instances = json.loads((folder / "instances_subset.json").read_text())
    busiest = max(instances["images"], key=lambda i: sum(a["image_id"] == i["id"] for a in instances["annotations"]))
    image = ImageRef(busiest["file_name"], folder / "images" / busiest["file_name"])
    metric = HICE.load(ModelSettings(options={"regions": str(folder / "instances_subset.json")}))
    captions = [
        row["caption"].split() for row in json.loads((folder / "captions_subset.json").read_text())["annotations"]
    ]
    drafts = [" ".join(words[:end]) for words in captions for end in range(3, len(words) + 1)][: EDITS + 3]
    times, work = [], []
    for draft in drafts:
        start, busy = time.perf_counter(), time.process_time()
        (score,) = metric.score([Sample("edit", image, draft)])
        assert isinstance(score, Score)
        overlay(score.explanation, 0.5)
        times.append(1000 * (time.perf_counter() - start))
        work.append(1000 * (time.process_time() - busy))
    note = f"{len(score.explanation.regions)} regions; processor time p95 {np.percentile(work[3:], 95):.0f} ms"
    yield Row("caption edited to new overlay, p95", float(np.percentile(times[3:], 95)), "limit", 150.0, note)


def run() -> list[rows_of_all.Row]:
    """Return every row as the table of all benchmarks has it."""
    return [_shared(row) for row in rows(with_encoder=True)]


def _shared(row: Row) -> rows_of_all.Row:
    if row.other == "limit":
        return rows_of_all.Row(row.name, row.ms, "ms", most=row.other_ms, note=row.note)
    return rows_of_all.Row(row.name, row.ms, "ms", row.other_ms, row.other, note=row.note)


def rows(with_encoder: bool) -> Iterator[Row]:
    """Yield every row as it is measured."""
    shared = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    for size in (HD, FULL_HD):
        yield encoding_masks(size)
    for count in (50, 100):
        yield from drawing(count)
    if shared.is_dir():
        yield from editing(shared)
    if with_encoder:
        yield from encoding()


def main() -> None:
    """Measure and print."""
    for row in rows(with_encoder="--quick" not in sys.argv):
        print(row.text(), flush=True)


if __name__ == "__main__":
    main()
