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
    practice = page.locator(".practice-words")
    expect(page.locator(".practice")).to_contain_text("If an answer is wrong, you read why here and answer again.")
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
    practice, wrong = page.locator(".practice-words"), page.locator("fieldset.wrong")
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


def test_on_a_phone_the_wrong_question_stays_in_view_with_its_reason_and_next_points_at_it(
    phone: Page, server: Server
) -> None:
    study = make_study(server, "practice on a phone", size=1, form_text=STRICT, veil=False)
    with_workplace(
        server,
        lambda w: services.approve(w, study, "training", services.proposed(w, study, "swapped", 1, 1), "ada"),
    )
    enter(phone, server, study, "practice3")
    for criterion in ("Consistency", "Factuality", "Informativeness"):
        radio(phone, criterion, 4).click()
    reason, foot = phone.locator(".practice-words"), phone.locator(".guideline")
    expect(reason).to_contain_text("Factuality: you gave 4, which is wrong.")
    expect(reason).to_be_in_viewport(ratio=1)
    expect(radio(phone, "Factuality", 4)).to_be_in_viewport(ratio=1)
    expect(radio(phone, "Factuality", 4)).to_be_focused()
    expect(foot).to_have_text("✗ Factuality: you gave 4, which is wrong. Please answer again.")
    phone.evaluate("scrollTo({ top: 0 })")
    phone.get_by_role("button", name="Next").click()
    expect(radio(phone, "Factuality", 4)).to_be_in_viewport(ratio=1)
    expect(radio(phone, "Factuality", 4)).to_be_focused()
    expect(foot).to_be_in_viewport()
    radio(phone, "Factuality", 1).click()
    expect(reason).to_contain_text("✓ Factuality: you gave 1")
    expect(reason).to_be_in_viewport(ratio=1)


def test_feedback_to_practice_covers_no_line_of_the_explanation(page: Page, server: Server) -> None:
    study = make_study(server, "practice unveils", size=1, form_text=STRICT, veil=False)
    with_workplace(
        server,
        lambda w: services.approve(w, study, "training", services.proposed(w, study, "swapped", 1, 1), "ada"),
    )
    page.set_viewport_size({"width": 1366, "height": 620})
    enter(page, server, study, "practice4")
    page.locator(".panel .words").evaluate("words => words.append(' A long explanation goes on.'.repeat(60))")
    rate_by_keys(page, "444")
    expect(page.locator(".practice-words")).to_contain_text("Factuality: you gave 4, which is wrong.")
    words, questions = page.locator(".panel .words").bounding_box(), page.locator(".questions").bounding_box()
    assert words is not None and questions is not None and words["y"] + words["height"] <= questions["y"]
    expect(radio(page, "Factuality", 4)).to_be_in_viewport(ratio=1)
