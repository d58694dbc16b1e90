"""The comprehension check and the worked example, as raters meet them before the first item."""

from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import Server, make_study, with_workplace
from tests.core.studies.test_form_gates import ANSWER, CHECK, EXAMPLE, SINGLE
from tests.ui.test_comprehension_check import SECOND


def test_a_rater_reads_why_an_answer_was_wrong_answers_again_and_reads_an_example(page: Page, server: Server) -> None:
    study = make_study(server, "checked", size=1, form_text=SINGLE + CHECK + SECOND + EXAMPLE + ANSWER)
    page.goto(f"{server.url}/rate?study={study.id}")
    page.get_by_label("Your code").fill("check1")
    page.get_by_role("button", name="Start").click()
    page.get_by_label("The score").check()
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Check my answers").dblclick()  # one attempt only
    expect(page.get_by_text("One answer was wrong.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("You judge what the explanation says.")).to_be_visible()
    expect(page.get_by_label("No", exact=True)).to_be_checked()  # a right answer is kept, a wrong one is not
    expect(page.get_by_label("The score")).not_to_be_checked()
    assert findings(page) == []
    page.get_by_label("The explanation").check()
    page.get_by_role("button", name="Check my answers").click()
    expect(page.get_by_role("heading", name="An example")).to_be_visible()
    expect(page.get_by_text("It names the fault.")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Enter")  # as on an item
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Next")).to_be_visible()  # the example is shown once
    outcomes = with_workplace(server, lambda w: w.repository.checks.outcomes(study.id))
    assert (outcomes.passed, outcomes.failed) == (1, 0)
