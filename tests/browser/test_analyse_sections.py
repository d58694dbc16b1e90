"""Analyse as a page of sections: contents, sections without data, and what stands beside the list of errors."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import SLOW_MS, Server, with_workplace, write_samples
from tests.making import import_rows
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

PAIRS = 40


def paired(number: int) -> dict[str, Any]:
    """One of two captions between which people chose; M has no score before smoothing."""
    of_pair, position = divmod(number, 2)
    return {
        "id": f"p{number}",
        "image": f"{of_pair // 2}.jpg",
        "caption": f"Dog {number} runs.",
        "human": None,
        "pair": {"key": f"HC#{of_pair}", "position": position, "preferred": 0, "category": "HC"},
        "scores": [{"metric": "M", "value": (number * 7 % 30) / 30}],
    }


def of_hice(number: int) -> dict[str, Any]:
    """HICE-S's score of a caption of THumB, with its parts."""
    parts = {"precision": number / 4, "recall": 1 - number / 4}
    score = {"metric": "HICE-S", "value": 0.5, "components": parts}
    return {"image": f"{number}.jpg", "caption": f"dog {number}", "scores": [score]}


CAPTIONERS = ("<b>vinvl</b>", "blip", "Human")


def captioned(number: int) -> dict[str, Any]:
    """One of three captions of a picture, each by a captioner of its own."""
    picture, place = divmod(number, 3)
    return {
        "id": f"c{number}",
        "image": f"{picture}.jpg",
        "caption": f"Dog {number} runs.",
        "system": CAPTIONERS[place],
        "own": {"split": "test" if picture < 3 else "<b>train</b>"},
        "human": (place + number % 2) / 3,
        "scores": [{"metric": "M", "value": (number * 7 % 30) / 30}],
    }


@pytest.fixture(scope="module")
def sparse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with pairs of captions, judged captions, and captions that nobody judged but with regions."""
    folder = tmp_path_factory.mktemp("sparse")
    running = Server(folder / "data")
    running.data_dir.mkdir()
    regions = folder / "instances.json"
    square = {"image_id": 1, "category_id": 1, "segmentation": [[10, 10, 90, 10, 90, 90, 10, 90]]}
    images = [{"id": 1, "file_name": "picture1.jpg", "width": 400, "height": 300}]
    kinds = [{"id": 1, "name": "square"}]
    regions.write_text(json.dumps({"images": images, "annotations": [square], "categories": kinds}))

    def fill(workplace: Workplace) -> None:
        import_rows(workplace, folder, [paired(number) for number in range(2 * PAIRS)], "pairs")
        import_rows(workplace, folder, [captioned(number) for number in range(3 * 8)], "captioned")
        import_files(workplace, "jsonl", [write_samples(folder / "files", 4)], "Ann’s squares", regions=regions)
        rows = [json.loads(line) for line in (folder / "files" / "samples.jsonl").read_text().splitlines()]
        judged = [row | {"id": f"j{place}", "human": place / 4} for place, row in enumerate(rows)]
        (folder / "files" / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged))
        import_files(workplace, "jsonl", [folder / "files" / "judged.jsonl"], "judged")
        parts = [{"hyp": f"dog {n}", "image": f"{n}.jpg", "P": 1 + n, "R": 4 - n, "human_score": n} for n in range(4)]
        (folder / "thumb.jsonl").write_text("".join(json.dumps(part) + "\n" for part in parts))
        import_files(workplace, "thumb", [folder / "thumb.jsonl"], "thumb")
        walks = [f"A man walks with {n} dogs on a beach 🚌." for n in ("two", "three", "four")]
        lines = [
            {"image": f"{n}.jpg", "caption": text, "references": [text], "scores": [{"metric": "M", "value": 0.5}]}
            for n, text in enumerate(walks)
        ]
        (folder / "walks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        import_files(workplace, "jsonl", [folder / "walks.jsonl"], "walks")
        import_files(workplace, "thumb", [folder / "thumb.jsonl"], "beside")
        import_rows(workplace, folder, [of_hice(number) for number in range(4)], "beside")

    with_workplace(running, fill)
    running.start()
    yield running
    running.stop()


def section(page: Page, name: str) -> Any:
    return page.get_by_role("region", name=name, exact=True)


def test_a_data_set_of_pairs_opens_without_a_refused_request_and_sections_without_data_are_one_line(
    page: Page, sparse: Server
) -> None:
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{sparse.url}/analyse?dataset=pairs")
    accuracies = page.get_by_role("region", name="pairs: pairwise accuracy × 100; ties count as wrong")
    expect(accuracies.get_by_role("columnheader", name="95 % interval")).to_be_visible(timeout=SLOW_MS)
    expect(section(page, "Plots")).to_contain_text(
        "There is one score and no human judgement, so there is nothing to draw."
    )
    for name in (
        "Largest errors",
        "How well people agree with one another",
        "How far scores differ from human judgements",
        "By category",
    ):
        folded = section(page, name)
        expect(folded).to_contain_text("People have not judged single captions here.")
        expect(folded.get_by_role("link", name="Import judgements")).to_have_attribute("href", "/studies?bring")
        assert folded.bounding_box()["height"] < 80
    expect(section(page, "Where two scores differ").get_by_role("link", name="Import scores")).to_be_visible()
    left_out = section(page, "What captions do not mention")
    expect(left_out.get_by_role("link", name="Import regions")).to_be_visible(timeout=SLOW_MS)
    expect(left_out).not_to_contain_text("score HICE-S")  # the command could not run
    expect(page.get_by_role("heading", name="Coded errors")).to_be_hidden()
    assert refused == []
    assert findings_in_both_colours(page) == []


def test_several_data_sets_make_one_table(page: Page, sparse: Server) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=judged")
    several = section(page, "Agreement on several benchmarks")
    several.scroll_into_view_if_needed(timeout=SLOW_MS)
    table = several.get_by_role("region", name="Agreement × 100")
    expect(table.get_by_role("columnheader")).to_contain_text(["metric", "captioned τ-c"], timeout=SLOW_MS)
    columns = table.get_by_role("columnheader").count()
    expect(several.get_by_role("button", name="Agreement × 100 as LaTeX")).to_be_visible()
    several.get_by_label("captioned", exact=True).uncheck()
    expect(table.get_by_role("columnheader")).to_have_count(columns - 1, timeout=SLOW_MS)
    assert findings_in_both_colours(page, "#several-datasets") == []


def test_captioners_are_compared_and_found_and_their_names_are_text(page: Page, sparse: Server) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=captioned")
    captioners = section(page, "Captioners")
    captioners.scroll_into_view_if_needed()
    best = captioners.get_by_role("region", name="Captioners by score").get_by_role("row").nth(1)
    expect(best).to_contain_text("Human", timeout=SLOW_MS)
    expect(best).to_contain_text("1. 0.833")
    expect(captioners.get_by_role("row").filter(has_text="<b>vinvl</b>").first).to_be_visible()
    expect(captioners.get_by_role("region", name="Do metrics rank captioners as people do?")).to_be_visible()
    expect(captioners.locator(".main-svg").first).to_be_visible()
    assert findings_in_both_colours(page) == []
    page.get_by_label("Data set").select_option("judged")
    expect(section(page, "Captioners")).to_contain_text("This data set does not have two captioners.", timeout=SLOW_MS)
    page.goto(f"{sparse.url}/inspect?dataset=captioned")
    page.get_by_text("More filters").click()
    page.get_by_label("Captioner", exact=True).select_option("<b>vinvl</b>")
    expect(page.get_by_text("8 samples")).to_be_visible()
    page.locator(".sample-list button.row").first.click()
    expect(page.get_by_text("caption by <b>vinvl</b>")).to_have_count(1)  # in the folded details
