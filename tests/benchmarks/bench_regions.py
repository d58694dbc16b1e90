"""Regions: masks encoded and drawn, one SVG beside gr.AnnotatedImage, a caption edited, batches beside single regions.

Times are of this process on the processor, the shortest of a few runs, so that a busy machine changes them little;
for the edited caption the 95th percentile of the time that passes counts. Imports and making data are left out.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from core.metrics.hice import HICE
from core.models import ModelSettings
from core.regions import masks, outlines
from core.regions.protocols import with_full
from core.types import Explanation, ImageRef, ImageRegion, Phrase, Region, Sample, Score
from tests.benchmarks.rows import NotHere, Row, percentile
from tests.svg_path import mask_of
from ui.region_overlay import overlay

HD, FULL_HD = (720, 1280), (1080, 1920)  # (height, width) in px
ENCODED = 4  # regions through the ViT-L/14
EDITS, WARM = 60, 3
RUNS = 5


def run() -> list[Row]:
    """Measure everything."""
    shared = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    if not shared.is_dir():
        raise NotHere(f"needs the shared data at {shared}")
    hundred = [masks_encoded_and_drawn(HD, most=100.0), masks_encoded_and_drawn(FULL_HD)]
    return [*hundred, one_svg(50), one_svg(100), *caption_edited(shared), regions_encoded()]


def masks_encoded_and_drawn(size: tuple[int, int], most: float | None = None) -> Row:
    """A hundred masks to run lengths, and from those to outlines, and back to the same masks."""
    found = blobs(100, size)
    encoded = [masks.encode(mask) for mask in found]
    encode_ms = shortest(lambda: [masks.encode(mask) for mask in found])
    draw_ms = shortest(lambda: [outlines.svg_path.__wrapped__(rle, size) for rle in encoded])
    first = mask_of(outlines.svg_path(encoded[0], size), size)
    same = bool((first == found[0]).all())
    what = f"100 masks of {size[1]}×{size[0]} encoded and drawn"
    return Row(what, encode_ms + draw_ms, "ms", most=most, holds=same, note="processor time")


def one_svg(count: int) -> Row:
    """An explanation drawn, beside Gradio's own component."""
    import gradio as gr

    found = blobs(count, HD)
    regions = tuple(
        Region(masks.encode(mask), HD, f"region {i}", False, i / count, 0, 2 * i >= count)
        for i, mask in enumerate(found)
    )
    shown = Explanation(phrases=(Phrase("dog on sofa", (0, 11), 0.6, 0, "correct"),), regions=regions)

    def afresh() -> str:
        outlines.svg_path.cache_clear()
        return overlay(shown)

    annotations = [(mask.astype(np.float32), f"region {i}") for i, mask in enumerate(found)]
    picture, component = np.zeros((*HD, 3), np.uint8), gr.AnnotatedImage()
    with tempfile.TemporaryDirectory() as folder:
        component.GRADIO_CACHE = folder
        theirs = shortest(lambda: component.postprocess((picture, annotations)), runs=2)
        written = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    note = f"{len(afresh()) / 1e3:,.0f} kB beside {written / 1e3:,.0f} kB of files"
    return Row(f"{count} regions as one SVG", shortest(afresh), "ms", theirs, "gr.AnnotatedImage", note=note)


def caption_edited(shared: Path) -> Iterator[Row]:
    """A caption typed word by word on a COCO picture: HICE-S with the label encoder, then the new overlay."""
    folder = shared / "data" / "coco"
    document = json.loads((folder / "instances_subset.json").read_text())
    busiest = max(document["images"], key=lambda i: sum(a["image_id"] == i["id"] for a in document["annotations"]))
    image = ImageRef(busiest["file_name"], folder / "images" / busiest["file_name"])
    metric = HICE.load(ModelSettings(options={"regions": str(folder / "instances_subset.json")}))
    passed, busy, regions = [], [], 0
    for draft in drafts(folder / "captions_subset.json"):
        start, started = time.perf_counter(), time.process_time()
        (score,) = metric.score([Sample("edit", image, draft)])
        assert isinstance(score, Score)
        overlay(score.explanation)
        passed.append(1000 * (time.perf_counter() - start))
        busy.append(1000 * (time.process_time() - started))
        regions = len(score.explanation.regions)
    what = "caption edit to new overlay, p95"
    yield Row(what, percentile(passed[WARM:], 95), "ms", most=150.0, note=f"{regions} regions, label encoder")
    yield Row(f"{what}, processor time", percentile(busy[WARM:], 95), "ms")


def drafts(captions: Path) -> list[str]:
    """Return captions as they grow by a word."""
    texts = [row["caption"].split() for row in json.loads(captions.read_text())["annotations"]]
    return [" ".join(words[:end]) for words in texts for end in range(3, len(words) + 1)][: EDITS + WARM]


def regions_encoded() -> Row:
    """Regions through Alpha-CLIP ViT-L/14 with random weights, together and one by one."""
    from tests.benchmarks.random_alpha_clip import random_alpha_clip

    encoder = random_alpha_clip(batch_size=ENCODED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.jpg"
        noise = np.random.default_rng(0).integers(0, 256, (HD[0] // 8, HD[1] // 8, 3), np.uint8)
        Image.fromarray(noise).resize(HD[::-1]).save(path)
        image = ImageRef(path.name, path)
        regions = with_full([ImageRegion(masks.encode(mask), HD) for mask in blobs(ENCODED - 1, HD)], HD)
        together, alone = encoder.encode_regions(image, regions), encoder.encode_regions(image, regions[:1])
        same = bool(np.abs(together[:1] - alone).max() < 1e-4)
        ours = shortest(lambda: encoder.encode_regions(image, regions), runs=1)
        theirs = shortest(lambda: [encoder.encode_regions(image, [region]) for region in regions], runs=1)
    what = f"{ENCODED} regions through ViT-L/14 in one batch"
    return Row(what, ours / 1000, "s", theirs / 1000, "one by one", holds=same, note="processor time")


def blobs(count: int, size: tuple[int, int]) -> list[masks.Mask]:
    """Return seeded wavy discs, 20 px to a third of the height in radius."""
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
