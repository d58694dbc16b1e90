"""A manager watches a study: raters are found, excluded after a question, and looked at item by item."""

from playwright.sync_api import Page, expect

from storage.study_types import Study
from tests.browser.conftest import Server, make_study, with_workplace
from tests.browser.test_managing import card_of, fits
from tests.making import answer_all
from ui.services.workplace import Workplace


def prepare(workplace: Workplace, study: Study) -> None:
    """Let one rater finish the study, and two others only get its items."""
    for code in ("WATCH1", "WATCH2", "WATCH3"):
        rater = workplace.repository.raters.add(code)
        workplace.repository.desk.queue(study.id, rater)
        if code == "WATCH1":
            answer_all(workplace.repository, study, rater)


def test_a_manager_finds_raters_excludes_two_and_sees_what_one_did(page: Page, server: Server) -> None:
    study = make_study(server, "monitored", raters_per_item=3, size=4)
    with_workplace(server, lambda workplace: prepare(workplace, study))
    page.goto(f"{server.url}/studies")
    card_of(page, "monitored").get_by_role("button", name="Monitor", exact=True).click()
    monitor = page.get_by_role("dialog", name="Monitoring of monitored")
    rows = monitor.locator(".monitored tbody tr")
    expect(rows).to_have_count(3)
    fits(page, "the monitor")

    monitor.get_by_label("State").select_option("arrived")
    monitor.get_by_label("Search in codes and reasons").fill("watch")
    monitor.get_by_role("button", name="Rater", exact=True).click()
    monitor.get_by_role("button", name="Rater", exact=True).click()
    expect(rows.locator("th")).to_have_text(["WATCH3", "WATCH2"])
    monitor.get_by_label("Select all listed raters").check()
    exclude = monitor.get_by_role("button", name="Exclude", exact=True)
    exclude.click()
    page.get_by_role("button", name="Cancel").click()
    expect(rows).to_have_count(2)
    exclude.click()
    question = page.get_by_role("dialog", name="Exclude: 2 raters?")
    expect(question).to_contain_text("WATCH2, WATCH3")
    question.get_by_label("Why").fill("<b>never</b> answered")
    question.get_by_role("button", name="Exclude: 2 raters").click()
    expect(rows).to_have_count(0)
    monitor.get_by_label("State").select_option("excluded")
    expect(rows.first).to_contain_text("<b>never</b> answered")

    monitor.get_by_label("State").select_option("")
    monitor.get_by_role("button", name="What WATCH1 did").click()
    work = page.get_by_role("dialog", name="Work of WATCH1 in monitored")
    expect(work).to_contain_text("4 of 4 items are finished")
    expect(work.locator("tbody tr").first).to_contain_text("consistency: 3")
