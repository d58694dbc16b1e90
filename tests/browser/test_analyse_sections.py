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


def test_the_command_that_finds_regions_is_suggested_where_it_can_run_and_quotes_the_name(
    page: Page, sparse: Server
) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=Ann%E2%80%99s+squares")
    left_out = section(page, "What captions do not mention")
    left_out.scroll_into_view_if_needed()
    expect(left_out.locator("code")).to_contain_text("score HICE-S --dataset 'Ann’s squares'", timeout=SLOW_MS)
    expect(left_out.get_by_role("button", name="Copy")).to_be_visible()
    expect(section(page, "Plots").locator(".main-svg").first).to_be_visible(timeout=SLOW_MS)  # metric against metric


def test_scores_that_only_people_gave_are_drawn_and_compared_with_nothing(page: Page, sparse: Server) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=thumb")
    expect(section(page, "Plots").locator(".main-svg").first).to_be_visible(timeout=SLOW_MS)
    for name in (
        "Agreement with human judgement",
        "Largest errors",
        "How far scores differ from human judgements",
        "By category",
    ):
        expect(section(page, name)).to_contain_text("Only people have scored these captions.")
        expect(section(page, name).get_by_role("link", name="Import scores")).to_be_visible()
    differences = section(page, "Where two scores differ")
    expect(differences).to_contain_text(
        "Only people have scored these captions, so there is no metric’s score to compare."
    )
    expect(page.get_by_role("group", name="Scores given by people", exact=True)).to_be_visible()
    expect(page.get_by_role("group", name="Metrics", exact=True)).to_have_count(0)
    plots = section(page, "Plots")
    expect(plots.get_by_label("Score", exact=True)).to_be_visible()
    expect(plots.get_by_label("Metric", exact=True)).to_have_count(0)
    expect(plots.get_by_label("Plot", exact=True).locator("option")).to_contain_text(["One score and another"])
    related = section(page, "How scores are distributed and related")
    related.scroll_into_view_if_needed()
    table = related.get_by_role("region", name="Correlations between scores of people")
    expect(table.get_by_role("columnheader").nth(0)).to_have_text("score", timeout=SLOW_MS)
    expect(table.get_by_role("columnheader").nth(1)).to_have_text("other score")


def test_distributions_of_scores_and_people_are_drawn_and_metrics_correlated(page: Page, sparse: Server) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=judged")
    related = section(page, "How scores are distributed and related")
    related.scroll_into_view_if_needed()
    expect(related.locator(".main-svg").first).to_be_visible(timeout=SLOW_MS)
    expect(related.get_by_role("region", name="Distributions").locator("tbody tr")).to_have_count(4)  # and people
    expect(related.get_by_role("region", name="Correlations between metrics").locator("tbody tr")).to_have_count(3)


def test_contents_lead_to_each_section_and_the_address_stays(page: Page, sparse: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{sparse.url}/analyse?dataset=judged")
    contents = page.get_by_role("navigation", name="Sections")
    expect(contents.get_by_role("link")).to_have_text(
        [
            "Agreement with human judgement", "Plots", "Largest errors", "Where two scores differ",
            "What captions do not mention", "How well people agree with one another",
            "How scores are distributed and related",
            "How far scores differ from human judgements", "By category", "How scores react to edits", "Captioners",
            "Agreement on several benchmarks",
            "Coded errors", "Study results",
        ],
        timeout=SLOW_MS,
    )  # fmt: skip
    left, head = contents.bounding_box(), page.get_by_role("heading", name="Plots").bounding_box()
    assert left and head and left["x"] + left["width"] < head["x"]
    address = page.url
    contents.get_by_role("link", name="By category").click()
    expect(page.get_by_role("heading", name="By category")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="By category")).to_be_focused()
    assert page.url == address
    page.get_by_label("Data set").select_option("pairs")
    expect(contents.locator(".without", has_text="By category")).to_be_visible(timeout=SLOW_MS)
    expect(contents.get_by_role("link", name="Coded errors")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(contents.get_by_role("link", name="Plots")).to_be_visible()
    page.wait_for_function("document.documentElement.scrollWidth <= 390")  # once the plots have followed


def test_while_coding_the_picture_and_the_caption_have_the_width_of_their_column_and_rows_have_thumbnails(
    page: Page, sparse: Server
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{sparse.url}/analyse?dataset=judged")
    rows = page.get_by_role("region", name="Rows of errors").locator("tbody tr")
    expect(rows).to_have_count(4, timeout=SLOW_MS)
    thumb = rows.first.locator("img.thumb")
    expect(thumb).to_have_js_property("complete", True)
    assert thumb.evaluate("image => image.naturalWidth > 0") and thumb.bounding_box()["width"] >= 64
    rows.first.locator(".error-caption").click()
    sample = page.get_by_role("region", name="Sample", exact=True)
    picture = sample.locator("figure img")
    expect(picture).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    seen, column = picture.bounding_box(), sample.bounding_box()
    assert seen and column and seen["width"] > 0.9 * column["width"] > 400
    expect(rows.nth(1)).to_be_visible()


@pytest.mark.parametrize("width", [1366, 1920])
def test_codes_are_whole_beside_an_open_sample(page: Page, sparse: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(f"{sparse.url}/analyse?dataset=judged")
    box = page.get_by_role("region", name="Rows of errors")
    expect(box.locator("tbody tr")).to_have_count(4, timeout=SLOW_MS)
    page.get_by_label("Coder").fill("Annabelle of the second team")
    box.locator(".error-caption").first.click()
    page.keyboard.press("1")
    chip = box.locator(".chip").first
    expect(chip).to_be_visible()
    within, code = box.bounding_box(), chip.bounding_box()
    assert within and code and code["x"] + code["width"] <= within["x"] + within["width"]
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_parts_of_a_score_are_chosen_under_its_metric_and_one_click_sets_them_beside_peoples(
    page: Page, sparse: Server
) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=beside")
    choice = page.get_by_role("group", name="Metrics")
    expect(choice.locator("summary:visible")).to_have_text(["Components of scores"])  # one disclosure behind the list
    choice.get_by_text("Components of scores", exact=True).click()
    choice.get_by_label("Components of HICE-S", exact=True).click()
    expect(choice.get_by_role("checkbox")).to_have_count(5, timeout=SLOW_MS)  # three columns and two parts
    choice.get_by_label("recall", exact=True).click()
    expect(choice.get_by_label("HICE-S recall", exact=True)).to_be_checked(timeout=SLOW_MS)
    expect(section(page, "Agreement with human judgement").get_by_role("table").first).to_contain_text(
        "HICE-S recall", timeout=SLOW_MS
    )
    choice.get_by_role("button", name="Compare components with human judgements").click()
    expect(page.locator(".plot .xtitle")).to_have_text("HICE-S precision", timeout=SLOW_MS)
    expect(page.locator(".plot .ytitle")).to_have_text("THumB precision")
    page.reload()  # the address holds the choice
    expect(page.locator(".plot .xtitle")).to_have_text("HICE-S precision", timeout=SLOW_MS)
    expect(choice.get_by_label("HICE-S recall", exact=True)).to_be_checked()
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


def test_a_slice_filters_by_a_column_of_ones_own(page: Page, sparse: Server) -> None:
    page.goto(f"{sparse.url}/analyse?dataset=captioned")
    page.get_by_role("button", name="New slice").click(timeout=SLOW_MS)
    page.get_by_label("Name").fill("the test part")
    own = page.get_by_label("Your own column")
    expect(own.locator("option")).to_have_text(["any", "split = <b>train</b>", "split = test"])
    own.select_option("split = test")
    codes = page.get_by_label("Error code").locator("option").all_text_contents()
    assert codes[0] == "any" and len(codes) > 9
    assert any(code.startswith("Overpenalization of Captions Lacking Details (") for code in codes)
    assert not any("overpenalized-details" in code for code in codes)
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text(
        "the test part (9)", timeout=SLOW_MS
    )


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
