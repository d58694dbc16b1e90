"""Annotated pictures on a server, and the Inspect page opened on them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from storage.types import Search
from tests.browser.conftest import SLOW_MS, Server, framed, serving, with_workplace
from ui.services.importing.annotations import annotate
from ui.services.importing.importing import import_files

SCENE = (640, 480)  # width, height in px
BOXES = {"dog": (60, 160, 260, 400), "grass": (0, 300, 640, 480), "umbrella": (420, 40, 600, 200)}  # x0, y0, x1, y1
CAPTION = "A brown dog runs on the grass with a red ball."


def instances(folder: Path, name: str, size: tuple[int, int], boxes: list[tuple[str, tuple[int, ...]]]) -> Path:
    """Write a COCO instances file in which every region of one picture is a rectangle."""
    labels = sorted({label for label, _ in boxes})
    rows = [
        {"image_id": 1, "category_id": labels.index(label), "segmentation": [[x0, y0, x1, y0, x1, y1, x0, y1]]}
        for label, (x0, y0, x1, y1) in boxes
    ]
    content = {
        "images": [{"id": 1, "file_name": name, "width": size[0], "height": size[1]}],
        "annotations": rows,
        "categories": [{"id": number, "name": label} for number, label in enumerate(labels)],
    }
    path = folder / f"{Path(name).stem}.instances.json"
    path.write_text(json.dumps(content))
    return path


def smoothed(components: dict[str, Any]) -> float:
    """The score that the probabilities of digits make (FLEUR, Section 3.2)."""
    p, q = components["p"], components.get("q", [0.0] * 10)
    return float(np.dot(np.arange(10), 0.1 * np.array(p) + 0.01 * np.array(q)))


def bring_in(
    server: Server, folder: Path, name: str, captions: list[str], boxes: list[tuple[str, tuple[int, ...]]]
) -> None:
    """Add a data set of one annotated picture."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (SCENE[1], SCENE[0], 3), np.uint8)).save(
        folder / f"{name}.jpg"
    )
    rows = [{"id": f"{name}-{number}", "image": f"{name}.jpg", "caption": text} for number, text in enumerate(captions)]
    digits = [0.0, 0.01, 0.02, 0.02, 0.05, 0.1, 0.1, 0.2, 0.4, 0.1]
    found = [{"raw": 0.2, "p": np.eye(10)[2].tolist()}, {"raw": 0.88, "p": digits, "q": digits}]
    scores = [{"metric": "FLEUR", "value": smoothed(one), "components": one} for one in found]
    for row, score in zip(rows, scores, strict=False):
        row["scores"] = [score]
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    regions = instances(folder, f"{name}.jpg", SCENE, boxes)
    with_workplace(server, lambda w: (import_files(w, "jsonl", [file], name), annotate(w, name, regions)))


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with annotated pictures: an ordinary one, and one of hostile labels."""
    folder = tmp_path_factory.mktemp("scenes")
    captions = [CAPTION, "A man sleeps in a bed.", "A ball lies there."]
    labels = [("<img src=x onerror=alert(1)>", (0, 0, 50, 50)), ("dog", (60, 60, 90, 90))]
    with serving(folder / "data") as running:
        bring_in(running, folder / "a", "scene", captions, list(BOXES.items()))
        bring_in(running, folder / "c", "hostile", ["A <b>dog</b> & a cat."], labels)
        yield running


def sample_of(server: Server, text: str, dataset: str | None = None) -> int:
    found = with_workplace(server, lambda w: w.repository.samples.search(Search(dataset, text), 0, 1).samples)
    return int(found[0].id)


def open_sample(page: Page, server: Server, text: str, rest: str = "") -> Locator:
    """Open a sample and wait until its regions are there; returns what shows them."""
    page.goto(f"{server.url}/inspect?sample={sample_of(server, text)}{rest}")
    framed(page)
    regions = page.locator(".regions")
    expect(regions.locator(".region-counts")).to_contain_text("mentioned", timeout=SLOW_MS)
    return regions


def opened_menu(page: Page) -> Locator:
    """Open what is seldom needed: how the picture looks, saving it, a link."""
    panel = page.locator(".menu-panel")
    if not panel.is_visible():
        page.get_by_label("Display, save and link").click()
    expect(panel).to_be_visible()
    return panel


def numbers(page: Page) -> None:
    """Unfold the list of regions with its numbers."""
    page.get_by_text("Regions and numbers", exact=True).click()


def region(regions: Locator, label: str) -> Locator:
    return regions.locator(f"path[aria-label^='{label}:']")


def no_requests(page: Page, work: Callable[[], None]) -> None:
    """Do something in the page and see that the server is asked for nothing."""
    framed(page)
    page.wait_for_load_state("networkidle")  # what was asked for before has come
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    work()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    ours = [url for url in asked if not url.startswith(("data:", "blob:"))]
    # a browser takes the tab's icon from its cache again whenever the address changes
    assert [url for url in ours if not url.endswith("/icon.svg")] == []
