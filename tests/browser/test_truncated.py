"""Captions that a metric did not read to their end: Inspect says so, Analyse slices by it."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from storage.types import Search
from tests.browser.conftest import SLOW_MS, Server, framed, with_workplace
from ui.services.importing.importing import import_files


def test_inspect_says_how_much_of_a_caption_was_read_and_analyse_takes_such_captions(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    parts = [{"truncated": [77, 103]}, {"cosine": 0.4}]
    scores = [{"metric": "CLIPScore", "value": 1.0, "scale": [0, 2.5], "components": one} for one in parts]
    rows = [
        {"id": f"c{n}", "image": f"{n}.jpg", "caption": f"caption {n}", "human": 0.5, "scores": [score]}
        for n, score in enumerate(scores)
    ]
    file = tmp_path / "cut.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with_workplace(own_server, lambda w: import_files(w, "jsonl", [file]))
    cut, whole = with_workplace(own_server, lambda w: w.repository.samples.ids(Search("cut", "")))
    card = page.locator('[data-metric="CLIPScore"]')
    page.goto(f"{own_server.url}/inspect?sample={cut}")
    framed(page)
    expect(card).to_contain_text("The metric did not read the whole caption: it read 77 of 103 tokens", timeout=SLOW_MS)
    page.goto(f"{own_server.url}/inspect?sample={whole}")
    framed(page)
    expect(card).to_contain_text("cosine", timeout=SLOW_MS)
    expect(card).not_to_contain_text("did not read the whole caption")
    page.goto(f"{own_server.url}/analyse?dataset=cut")
    framed(page)
    page.get_by_role("button", name="New slice").click(timeout=SLOW_MS)
    page.get_by_label("Name").fill("cut captions")
    page.get_by_label("The metric did not read the whole caption").select_option("CLIPScore")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text("cut captions (1)")
