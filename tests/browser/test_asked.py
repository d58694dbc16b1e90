"""Consent and questions that a manager changes while a rater reads them."""

import re

from playwright.sync_api import Locator, Page, expect

from core.studies.asking.questionnaire import questions_of
from storage.study_types import Study
from tests.browser.conftest import Server, make_study, with_workplace

CHANGED = "The text was changed after you opened it, so nothing was stored. Please read it again."


def _asks(server: Server, study: Study, consent: str, before: str) -> None:
    asked = {"consent": consent, "before": questions_of(before)}
    with_workplace(server, lambda w: w.repository.studies.settle(study.id, **asked))


def _told(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has_text=CHANGED)


def test_a_rater_agrees_and_answers_to_nothing_but_what_they_have_read(page: Page, server: Server) -> None:
    study = make_study(server, "asked", size=3, practice=1)
    with_workplace(server, lambda w: w.repository.studies.settle(study.id, contact="ada@example.org"))
    _asks(server, study, "We keep your answers.", "Native? = yes / no!")
    page.goto(f"{server.url}/rate?study={study.id}")
    page.get_by_label("Your code").fill("reads1")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("We keep your answers.")).to_be_visible()
    told = re.compile("2 items \\+ 1 for practice, about .* minute.*You may stop at any moment")
    expect(page.locator(".consent-facts li")).to_have_text(told)
    expect(page.get_by_role("link", name="ada@example.org")).to_have_attribute("href", "mailto:ada@example.org")
    _asks(server, study, "We publish your name.", "Native? = yes / no!")
    page.get_by_role("button", name="I agree and take part").click()
    expect(_told(page)).to_be_visible()
    expect(page.get_by_text("We publish your name.")).to_be_visible()
    assert with_workplace(server, lambda w: w.repository.studies.raters(study.id)) == ()
    page.get_by_role("button", name="I agree and take part").click()

    page.get_by_label("yes", exact=True).check()
    _asks(server, study, "We publish your name.", "Do you take drugs? = yes / no!")
    page.get_by_role("button", name="Continue").click()
    expect(_told(page)).to_be_visible()
    expect(page.get_by_role("group", name="Do you take drugs?")).to_be_visible()
    assert with_workplace(server, lambda w: w.repository.visits.answers(study.id)) == {}
    page.get_by_label("yes", exact=True).check()
    _asks(server, study, "We publish your name.", "Do you take drugs? = yes! / no")  # a rule that the page never shows
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("yes", exact=True)).not_to_be_checked()
    expect(_told(page)).to_be_visible()
    assert with_workplace(server, lambda w: w.repository.visits.answers(study.id)) == {}
    page.get_by_label("no", exact=True).check()
    page.get_by_role("button", name="Continue").dblclick()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    answers = with_workplace(server, lambda w: w.repository.visits.answers(study.id))
    assert answers == {"READS1": {"before": {"Do you take drugs?": "no"}}}
