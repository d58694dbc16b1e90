"""Whole studies on real data, from files to report, in the browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from storage.study_types import Study
from tests.browser.conftest import Server, enter, make_study, rate_by_keys, saved, serving
from tests.browser.real import real_folder, run


@pytest.fixture(scope="module")
def real_server(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the published explanations, Polaris-exp and Flickr8k-Expert with FLEUR's scores."""
    with serving(tmp_path_factory.mktemp("real") / "data", real_folder(tmp_path_factory, shared_dir)) as running:
        yield running


def rate_all(page: Page, server: Server, study: Study, code: str, digit: str) -> None:
    """Rate a whole study by the keyboard."""
    enter(page, server, study, code)
    for number in range(1, study.items + 1):
        expect(page.get_by_role("region", name=f"Item {number}", exact=True)).to_be_visible()
        rate_by_keys(page, digit * page.locator("fieldset").count() + "\n")
    expect(page.get_by_role("heading", name="Thank you, you are done")).to_be_visible()
    saved(page)


@pytest.mark.parametrize(("form", "items"), [("expert-side-by-side", 6), ("expert-single", 19)])
def test_the_published_explanations_are_rated_from_first_visit_to_report(
    page: Page, real_server: Server, form: Any, items: int
) -> None:
    study = make_study(real_server, f"published {form}", dataset="published", form=form)
    assert study.items == items
    rate_all(page, real_server, study, f"cleo{items}", "3")
    report = run(real_server.data_dir, "report", study.name, "--json")
    assert {row["mean"] for row in report["rows"]} == {3.0}
    assert {row["metric"] for row in report["rows"]} >= {"FLEUR", "CLAIR", "EXPERT", "EXPERT without SFT"}
