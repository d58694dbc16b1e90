"""Raters' pages in each shipped language: axe finds nothing, and every page fits a laptop and a phone."""

import pytest
from playwright.sync_api import Page, expect

from core.studies.asking.questionnaire import Questionnaire, questions_of
from tests.browser.axe import findings
from tests.browser.conftest import Server, make_study, with_workplace
from tests.core.studies.test_form_gates import ANSWER, CHECK, EXAMPLE
from tests.core.studies.test_form_gates import SINGLE as GATED
from ui.services.texts.catalogue import ENGLISH
from ui.services.texts.catalogues import LOCALE

WIDTHS = (1366, 390)


def is_sound(page: Page, language: str) -> None:
    """Check the page at both widths, in its language."""
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.wait_for_load_state("networkidle")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert findings(page) == []
    page.set_viewport_size({"width": 1366, "height": 768})
    assert findings(page) == []


def dialog(page: Page, language: str, key: str) -> None:
    """Open a dialog by a key, check it and close it."""
    page.keyboard.press(key)
    expect(page.locator("dialog[open]")).to_be_visible()
    is_sound(page, language)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("language", [ENGLISH, *sorted(path.name for path in LOCALE.iterdir())])
def test_every_page_from_consent_to_the_end_is_accessible_and_fits(page: Page, server: Server, language: str) -> None:
    study = make_study(server, f"in-{language}", size=1, form_text=GATED + CHECK + EXAMPLE + ANSWER, language=language)
    entry = Questionnaire("We keep your answers.", questions_of("Where? = here / there"), questions_of("What else?"))
    with_workplace(server, lambda w: w.repository.visits.set_entry(study.id, entry))
    token = with_workplace(server, lambda w: w.repository.links.make(study.id, uses=9)[1])
    page.goto(f"{server.url}/r/{token}")
    is_sound(page, language)
    page.locator("#code").fill(language.replace("-", "").upper() + "1")
    page.locator(".enter button.primary").click()
    expect(page.locator(".consent")).to_be_visible()
    is_sound(page, language)
    page.locator(".actions button.primary").click()
    expect(page.locator(".entry-questions")).to_be_visible()
    is_sound(page, language)
    page.locator("input[type=radio]").first.check()
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".welcome")).to_be_visible()
    is_sound(page, language)
    page.locator(".enter button.primary").click()
    expect(page.locator(".entry-questions")).to_be_visible()
    is_sound(page, language)
    page.locator("input[type=radio]").first.check()
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".check-why")).to_be_visible()
    is_sound(page, language)
    page.locator("input[type=radio]").nth(1).check()
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".example")).to_be_visible()
    is_sound(page, language)
    page.locator(".actions button.primary").click()
    expect(page.locator("section.rate")).to_be_visible()
    is_sound(page, language)
    dialog(page, language, "g")
    dialog(page, language, "?")
    page.keyboard.press("x")
    expect(page.locator("#report-reason")).to_be_visible()
    is_sound(page, language)
    for question in page.locator("fieldset").all():
        question.locator("input").first.check()
    page.locator(".foot button.primary").click()
    expect(page.locator(".entry-questions textarea")).to_be_visible()
    is_sound(page, language)
    page.locator(".entry-questions textarea").fill("-")
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".entry-questions")).to_have_count(0)
    is_sound(page, language)
