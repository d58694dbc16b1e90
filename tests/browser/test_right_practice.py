"""Practice that must be right, at the rating page: it asks again, says why, and holds later items back."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, enter, make_study, radio, rate_by_keys, with_workplace
from tests.storage.rating.test_right_practice import STRICT
from ui.services.studies import controls as services


def test_a_wrong_practice_answer_is_asked_again_with_the_reason(page: Page, server: Server) -> None:
    study = make_study(server, "right practice", size=1, form_text=STRICT, veil=False)
    with_workplace(
        server,
        lambda w: services.approve(w, study, "training", services.proposed(w, study, "swapped", 1, 1), "ada"),
    )
    enter(page, server, study, "practice1")
    practice = page.locator(".practice")
    expect(practice).to_contain_text("If an answer is wrong, you read why here and answer again.")
    rate_by_keys(page, "444")
    expect(practice).to_contain_text("Factuality: you gave 4, which is wrong.")
    page.get_by_role("button", name="Next").click()
    expect(practice).to_contain_text("Please answer again.")
    page.reload()
    expect(practice).to_contain_text("Factuality: you gave 4, which is wrong.")
    expect(page.locator("p.status")).to_contain_text("practice 1 of 1")
    expect(radio(page, "Factuality", 4)).to_be_focused()
    radio(page, "Factuality", 3).click()
    expect(practice).to_contain_text("Factuality: you gave 3; right is 1 or 2.")
    radio(page, "Factuality", 1).click()
    expect(practice).to_contain_text("✓ Factuality: you gave 1")
    page.get_by_role("button", name="Next").click()
    expect(practice).to_have_count(0)
    expect(page.locator("p.status")).to_contain_text(re.compile("item 1 of 1"))
    page.go_back()
    expect(practice).to_contain_text("✓ Factuality: you gave 1")


def test_after_a_wrong_practice_answer_the_next_digit_answers_the_wrong_question(page: Page, server: Server) -> None:
    study = make_study(server, "practice by keys", size=1, form_text=STRICT, veil=False)
    with_workplace(
        server,
        lambda w: services.approve(w, study, "training", services.proposed(w, study, "swapped", 1, 1), "ada"),
    )
    enter(page, server, study, "practice2")
    practice, wrong = page.locator(".practice"), page.locator("fieldset.wrong")
    rate_by_keys(page, "444")
    page.keyboard.press("Enter")
    expect(practice).to_contain_text("Factuality: you gave 4, which is wrong.")
    expect(wrong).to_have_accessible_name("Factuality")
    page.keyboard.press("3")
    expect(practice).to_contain_text("Factuality: you gave 3; right is 1 or 2.")
    expect(radio(page, "Factuality", 3)).to_be_focused()
    page.keyboard.press("1")
    expect(practice).to_contain_text("✓ Factuality: you gave 1")
    expect(wrong).to_have_count(0)
    page.keyboard.press("Enter")
    expect(practice).to_have_count(0)
