"""Raters' pages in other languages: no English word is left, and Arabic runs from right to left."""

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Response, expect

from core.studies.asking.questionnaire import Questionnaire, questions_of
from storage.study_types import Study
from tests.browser.axe import findings
from tests.browser.conftest import Server, make_study, with_workplace
from tests.core.studies.test_form_gates import ANSWER, CHECK, EXAMPLE
from tests.core.studies.test_form_gates import SINGLE as GATED
from tests.pseudo_language import write_catalogue
from tests.storage.rating.test_right_practice import STRICT
from tests.ui.test_comprehension_check import SECOND
from ui.services.studies import controls

OPENING, CLOSING = "⟦", "⟧"
PSEUDO, RIGHT_TO_LEFT = "eo", "ar"
# The text of every node in sight, and the attributes that people hear or see.
VISIBLE = """() => {
  const texts = [document.title];
  for (const node of document.body.querySelectorAll("*")) {
    const mark = getComputedStyle(node, "::after").content;
    if (/^"\\w/.test(mark)) texts.push(mark.slice(1, -1)); // words of a style sheet
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script, style")) texts.push(node.data);
  }
  for (const node of document.body.querySelectorAll("*")) {
    for (const name of ["aria-label", "title", "placeholder", "alt", "data-open"]) {
      if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
    }
  }
  return texts;
}"""
KEYS_AND_NAMES = {"Capscope", *"WRBNUOT", *"wrbnuotzgx"}


class Data:
    """The texts of the study's data, which no catalogue translates, as the server sends them."""

    def __init__(self, page: Page, *known: str) -> None:
        self.texts = set(known)
        page.on("response", self._listen)

    def _listen(self, response: Response) -> None:
        if "/api/rate/" in response.url and "/texts/" not in response.url and response.ok:
            try:
                self.add(response.json())
            except (Error, ValueError):  # a picture, or a response whose page was left
                return

    def add(self, value: Any) -> None:
        if isinstance(value, str):
            self.texts.add(value.replace("**", ""))
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            self.add(part)


def outside(text: str) -> str:
    """Return what of a text is outside all brackets."""
    depth, left = 0, []
    for character in text:
        depth += (character == OPENING) - (character == CLOSING)
        left.append(" " if depth or character == CLOSING else character)
    return "".join(left)


def is_within(words: str, text: str) -> bool:
    """Return whether a text has these words, as whole words."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def untranslated(texts: Iterable[str], data: Data) -> list[str]:
    """Return the parts of texts that are neither translated nor the study's data."""
    known = {*data.texts, *KEYS_AND_NAMES}
    spaced = " | ".join(" ".join(text.split()) for text in known)
    found = []
    for text in texts:
        for part in re.split("[·:]", outside(text)):
            rest = " ".join(part.split()).strip(" “”,.;✓✗()+–")
            bare = rest.strip(" .0123456789")  # a number stands before some data
            if re.search(r"[^\W\d_]", rest) and not any(is_within(one, spaced) for one in (rest, bare)):
                found.append(text)
    return found


def check(page: Page, data: Data) -> None:
    page.wait_for_load_state("networkidle")
    assert untranslated(page.evaluate(VISIBLE), data) == []


def opened(server: Server, page: Page, study: Study, **values: Any) -> Data:
    """Open a link to a study; returns what its data are."""
    token = with_workplace(server, lambda w: w.repository.links.make(study.id, uses=9)[1])
    shown = with_workplace(server, lambda w: w.repository.studies.get(study.id))
    names = (study.name, *(text for criterion in shown.asks.criteria for text in (criterion.name, criterion.question)))
    data = Data(page, *names, *values.values(), "Quand?", "Quoi?", "Qui?", "oui", "non", "Consens")
    for criterion in shown.asks.criteria:
        data.texts |= {text for one in criterion.guidelines for text in (one.text, one.short)}
    data.add(list(shown.asks.introduction.paragraphs))
    page.goto(f"{server.url}/r/{token}")
    # the first answers come with the page
    answers = json.loads(page.locator("meta[name=capscope-answers]").get_attribute("content") or "{}")
    data.add({path: answer for path, answer in answers.items() if "/texts/" not in path})
    data.texts |= {"EO1", "EO2", "EO3", "EO4", "Evaluator 1", "Evaluator 2", "Evaluator 3"}
    return data


def dialogs(page: Page, data: Data, *ways: str) -> None:
    """Open dialogs by keys, and check each."""
    for key in ways:
        page.keyboard.press(key)
        expect(page.locator("dialog[open]")).to_be_visible()
        check(page, data)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.fixture
def speaking(server: Server) -> Server:
    write_catalogue(server.data_dir, PSEUDO, OPENING, CLOSING)
    write_catalogue(server.data_dir, RIGHT_TO_LEFT, "ع ", " ع")
    return server


def started(page: Page, code: str) -> None:
    page.locator("#code").fill(code)
    page.locator(".enter button.primary").click()


def test_no_english_word_is_left_from_consent_to_the_end(page: Page, speaking: Server) -> None:
    form = GATED + CHECK + SECOND + EXAMPLE + ANSWER
    study = make_study(speaking, "Quark", size=2, form_text=form, language=PSEUDO)
    entry = Questionnaire("Consens", questions_of("Quand? = oui / non\nQuoi? = 1..9"), questions_of("Qui?"))
    with_workplace(speaking, lambda w: w.repository.visits.set_entry(study.id, entry))
    data = opened(speaking, page, study)
    expect(page.locator("html")).to_have_attribute("lang", PSEUDO)
    expect(page.locator("#code")).to_be_visible()
    check(page, data)
    page.locator("#code").fill("no code")
    page.locator(".enter button.primary").click()
    expect(page.locator(".problem")).to_contain_text(OPENING)  # the server's refusal
    data.texts.add("no code")
    check(page, data)
    started(page, "eo1")
    expect(page.locator(".consent")).to_be_visible()
    check(page, data)
    page.locator(".actions button").nth(1).click()
    check(page, data)  # asks again before the rater declines
    page.keyboard.press("Escape")
    page.locator(".actions button.primary").click()
    expect(page.locator(".entry-questions")).to_be_visible()
    check(page, data)
    page.locator("input[type=radio]").first.check()
    page.locator("input[type=number]").fill("3")
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".welcome, .entry-questions")).to_be_visible()
    check(page, data)
    page.locator(".enter button.primary").click()
    expect(page.locator(".entry-questions")).to_be_visible()
    page.locator("input[type=radio]").first.check()
    page.locator("fieldset").nth(1).locator("input[type=radio]").first.check()
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".check-why").first).to_be_visible()
    check(page, data)
    page.locator("fieldset").nth(0).locator("input").nth(1).check()
    page.locator("fieldset").nth(1).locator("input").nth(1).check()
    page.locator(".entry-questions button.primary").click()
    expect(page.locator(".example")).to_be_visible()
    check(page, data)
    page.locator(".actions button.primary").click()
    expect(page.locator("section.rate")).to_be_visible()
    check(page, data)
    page.locator(".foot button.primary").click()  # what is still open
    check(page, data)
    dialogs(page, data, "g", "?")
    page.keyboard.press("x")
    page.locator("#report-reason").select_option("other")
    page.locator(".report .actions button").last.click()  # without words
    check(page, data)
    page.locator("#report-reason").select_option("offensive")
    page.locator(".report .actions button").last.click()
    check(page, data)
    for number in range(4):
        page.locator(".tools button").nth(number).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        check(page, data)
        page.keyboard.press("Escape")
    for _ in range(2):
        for question in page.locator("fieldset").all():
            question.locator("input").first.check()
        check(page, data)
        page.locator(".foot button.primary").click()
    expect(page.locator(".entry-questions textarea, .column h1")).not_to_have_count(0)
    check(page, data)


def test_no_english_word_is_left_where_sentences_are_judged(page: Page, speaking: Server) -> None:
    options = {"form": "evidence", "metrics": ("EXPERT",), "size": 1, "veil": False, "language": PSEUDO}
    study = make_study(speaking, "Qualle", **options)
    data = opened(speaking, page, study)
    started(page, "eo2")
    expect(page.locator(".sentence").first).to_be_visible()
    check(page, data)
    for key in ("9", "4", "2", "2", "w", "Enter", "r", "b", "Escape", "n", "Enter", "o", "Escape", "t", "u", "u"):
        page.keyboard.press(key)
        check(page, data)
    dialogs(page, data, "?")


def test_no_english_word_is_left_of_side_by_side_veiled_and_practice(page: Page, speaking: Server) -> None:
    study = make_study(speaking, "Quelle", form="side_by_side", size=2, language=PSEUDO)
    data = opened(speaking, page, study, number="1", other="2")
    check(page, data)
    started(page, "eo3")
    expect(page.locator("section.rate")).to_be_visible()
    check(page, data)
    page.keyboard.press("1")
    check(page, data)
    page.keyboard.press("Control+z")
    check(page, data)
    page.keyboard.press("z")
    check(page, data)


def test_no_english_word_is_left_of_practice_that_must_be_right(page: Page, speaking: Server) -> None:
    study = make_study(speaking, "Quaste", size=1, form_text=STRICT, veil=False, language=PSEUDO)
    with_workplace(
        speaking,
        lambda w: controls.approve(w, study, "training", controls.proposed(w, study, "swapped", 1, 1), "ada"),
    )
    data = opened(speaking, page, study)
    check(page, data)
    started(page, "eo4")
    expect(page.locator(".practice")).to_be_visible()
    for key in ("4", "4", "4"):
        page.keyboard.press(key)
    expect(page.locator(".practice-words")).to_contain_text("✗")
    check(page, data)


def test_the_page_of_an_ended_link_has_the_studys_language(page: Page, speaking: Server) -> None:
    study = make_study(speaking, "Quitte", size=1, language=PSEUDO)

    def closed(workplace: Any) -> str:
        link, token = workplace.repository.links.make(study.id, uses=9)
        workplace.repository.links.close(study.id, link.id)
        return str(token)

    page.goto(f"{speaking.url}/r/{with_workplace(speaking, closed)}")
    expect(page.locator("h1")).to_contain_text(OPENING)
    check(page, Data(page, "Quitte"))


def test_arabic_pages_run_from_right_to_left_and_fit_the_window(page: Page, speaking: Server) -> None:
    study = make_study(speaking, "Quarz", form="side_by_side", size=1, veil=False, language=RIGHT_TO_LEFT)
    opened(speaking, page, study)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    side, text = page.locator(".welcome-side").bounding_box(), page.locator(".welcome h1").bounding_box()
    assert side and text and side["x"] < text["x"]  # the second column is on the left
    assert findings(page) == []
    started(page, "ar1")
    expect(page.locator("section.rate")).to_be_visible()
    picture, judge = page.locator(".picture-column").bounding_box(), page.locator(".judge-column").bounding_box()
    assert picture and judge and picture["x"] > judge["x"]
    points = page.locator("fieldset").first.locator(".answer")
    first, second = points.nth(0).bounding_box(), points.nth(1).bounding_box()
    assert first and second and first["x"] > second["x"]  # points run from right to left
    points.nth(0).locator("input").focus()
    page.keyboard.press("ArrowLeft")
    expect(points.nth(1).locator("input")).to_be_focused()
    assert findings(page) == []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == width
