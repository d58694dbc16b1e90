"""Whole studies on real data, from files to report, in the browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, enter, make_study, rate_by_keys, saved
from tests.browser.real import real_folder, run

BY_HAND = 6  # items of a large study that are rated in the browser; the rest is sent as the page sends it


@pytest.fixture(scope="module")
def real_server(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the published explanations, Polaris-exp and Flickr8k-Expert with FLEUR's scores."""
    running = Server(tmp_path_factory.mktemp("real") / "data")
    shutil.copytree(real_folder(tmp_path_factory, shared_dir), running.data_dir)
    running.start()
    yield running
    running.stop()


def rate_all(browser: Browser, server: Server, study: Any, code: str, digit: str) -> None:
    """Rate a whole study in a browser of the rater's own: its beginning and its end by the keyboard."""
    page = browser.new_context().new_page()
    enter(page, server, study, code)
    first = min(study.items, BY_HAND) - 1
    rate_items(page, range(1, first + 1), digit)
    saved(page)
    if first < study.items - 1:
        send_items(page, server, study, range(first + 1, study.items), int(digit))
        page.reload()
    rate_items(page, range(max(first + 1, study.items), study.items + 1), digit)
    expect(page.get_by_role("heading", name="Thank you, you are done")).to_be_visible()
    saved(page)
    page.context.close()


def rate_items(page: Page, places: range, digit: str) -> None:
    for number in places:
        expect(page.get_by_role("region", name=f"Item {number}", exact=True)).to_be_visible()
        questions = page.locator("fieldset").count()
        rate_by_keys(page, digit * questions + "\n")


def send_items(page: Page, server: Server, study: Any, places: range, point: int) -> None:
    """Rate items with the page's own cookie, but without drawing them."""
    for start in range(places.start, places.stop, 20):
        count = min(20, places.stop - start)
        asked = f"{server.url}/api/rate/studies/{study.id}/items?start={start}&count={count}"
        items = page.request.get(asked).json()["items"]
        assert [item["place"] for item in items] == list(range(start, start + count))
        saves = [
            {"key": f"sent-{item['id']}-{panel}-{criterion}", "assignment": item["id"], "kind": "rating", "age_ms": 0}
            | {"panel": panel, "criterion": criterion, "point": point}
            for item in items
            for criterion in ("consistency", "factuality", "informativeness")
            for panel in range(1, study.panels + 1)
        ]
        answer = page.request.post(f"{server.url}/api/rate/saves", data={"saves": saves}, headers={"X-Capscope": "1"})
        assert all(result["saved"] for result in answer.json()["results"]), answer.text()


def test_a_hundred_items_of_polaris_exp_are_rated_by_two_raters(browser: Browser, real_server: Server) -> None:
    study = make_study(real_server, "polaris", dataset="polaris_exp_val", strata="score")
    assert dict(study.strata) == {"[0, 0.33)": 33, "[0.33, 0.66)": 33, "[0.66, 1]": 34}
    rate_all(browser, real_server, study, "anna", "4")
    rate_all(browser, real_server, study, "ben", "3")
    exported = real_server.data_dir / "ratings.csv"
    assert "600" in run(real_server.data_dir, "export", "polaris", "--to", str(exported))
    report = run(real_server.data_dir, "report", "polaris", "--json")
    assert [(row["criterion"], row["n"], row["mean"]) for row in report["rows"]] == [
        ("consistency", 200, 3.5),
        ("factuality", 200, 3.5),
        ("informativeness", 200, 3.5),
    ]


@pytest.mark.parametrize(("form", "items"), [("expert-side-by-side", 6), ("expert-single", 19)])
def test_the_published_explanations_are_rated_from_first_visit_to_report(
    browser: Browser, real_server: Server, form: Any, items: int
) -> None:
    study = make_study(real_server, f"published {form}", dataset="published", form=form)
    assert study.items == items
    rate_all(browser, real_server, study, f"cleo{items}", "3")
    report = run(real_server.data_dir, "report", study.name, "--json")
    assert {row["mean"] for row in report["rows"]} == {3.0}
    assert {row["metric"] for row in report["rows"]} >= {"FLEUR", "CLAIR", "EXPERT", "EXPERT without SFT"}
