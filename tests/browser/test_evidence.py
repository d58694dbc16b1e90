"""Explanations taken sentence by sentence, by keys; what was said survives a killed server and a lost line."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import Server, enter, make_study, rate_by_keys, saved, with_workplace, write_samples
from ui.services.importing.importing import import_files


def evidence(server: Server, study: Any) -> list[Any]:
    found: list[Any] = with_workplace(server, lambda w: list(w.repository.studies.evidence(study.id)))
    return found


def test_evidence_is_given_by_keys_and_nothing_of_it_is_lost(
    page: Page, context: BrowserContext, own_server: Server
) -> None:
    study = make_study(own_server, "evidence", form="evidence", metrics=("EXPERT",), size=2, veil=False)
    enter(page, own_server, study, "evidence1")
    sentences, here = page.locator(".sentence"), page.locator(".sentence[aria-current=step]")
    count = sentences.count()
    assert count >= 3
    rate_by_keys(page, "4")
    saved(page)
    own_server.kill()
    rate_by_keys(page, "22w")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    rate_by_keys(page, "n2")  # nowhere; major, which goes on to the next sentence
    expect(sentences.nth(1)).to_contain_text("2 wrong · attribute · major · nowhere")
    expect(here).to_contain_text(sentences.nth(2).locator(".sentence-text").inner_text())
    expect(page.get_by_role("status").filter(has_text="Not connected")).to_be_visible()
    own_server.start()
    saved(page)
    context.set_offline(True)
    rate_by_keys(page, "1" * (count - 2) + "t")
    context.set_offline(False)
    saved(page)
    other = context.new_page()
    other.goto(f"{own_server.url}/rate?study={study.id}")
    expect(other.get_by_role("status").filter(has_text="item 2 of 2")).to_be_visible()  # the first is finished
    other.keyboard.press("Backspace")
    expect(other.locator(".sentence").nth(1)).to_contain_text("2 wrong · attribute · major · nowhere")
    for _ in range(count - 1):
        other.keyboard.press("ArrowDown")
    rate_by_keys(other, "3")
    expect(page.locator(".sentence").nth(count - 1)).to_contain_text("3 cannot tell")  # the first tab hears of it
    assert findings(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    saved(other)
    found = {one.sentence: one for one in evidence(own_server, study)}
    assert len(found) == count and {one.rater for one in found.values()} == {"EVIDENCE1"}
    verdicts = [found[number].verdict for number in range(1, count + 1)]
    assert verdicts == ["beside", "wrong", *["right"] * (count - 3), "unclear"]
    wrong = found[2]
    words = wrong.text[wrong.words_start : wrong.words_end]
    assert (wrong.kind, wrong.severity, wrong.place, words) == (
        *("attribute", "major", "nowhere"), " ".join(wrong.text.split()[:2]),
    )  # fmt: skip
    assert all(one.no_fault for one in found.values())


def test_a_wrong_sentence_waits_for_words_and_place_until_the_rater_goes_on(page: Page, server: Server) -> None:
    study = make_study(server, "marks", form="evidence", metrics=("EXPERT",), size=2)
    enter(page, server, study, "marks1")
    here, message = page.locator(".sentence[aria-current=step]"), page.locator(".guideline")
    first = here.locator(".sentence-text").inner_text()
    rate_by_keys(page, "212")  # wrong, object, major
    expect(message).to_contain_text("Not marked: words and place")
    rate_by_keys(page, "1")  # meant for the next sentence, and not taken for this one
    expect(message).to_contain_text("The key 1 has no function here")
    expect(here).to_contain_text(f"{first}2 wrong · object · major")
    rate_by_keys(page, "w\n")  # the whole sentence
    expect(message).to_contain_text("Not marked: place")
    rate_by_keys(page, "b\n")
    expect(message).to_contain_text("First corner set")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(here).to_contain_text("2 wrong · object · major · a box")
    rate_by_keys(page, "\n")
    expect(page.locator(".sentence").nth(1)).to_have_attribute("aria-current", "step")
    rate_by_keys(page, "111")  # and back to the second sentence, by hand
    page.keyboard.press("ArrowUp")
    rate_by_keys(page, "231")
    page.keyboard.press("ArrowDown")  # left without Enter: asked once more before the next item
    rate_by_keys(page, "\n")
    expect(message).to_contain_text("Not marked: sentence 2: words and place")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="item 2 of 2")).to_be_visible()
    saved(page)
    found = {one.sentence: one for one in evidence(server, study)}
    assert (found[1].not_given, found[1].words_start, found[1].words_end) == ("", 0, len(found[1].text))
    assert (found[1].place, found[2].not_given, found[3].not_given) == ("box", "words, place", "")


def test_words_after_an_emoji_are_exported_as_they_were_marked(page: Page, own_server: Server, tmp_path: Path) -> None:
    samples = write_samples(tmp_path / "emoji", count=1, metrics=("CLAIR",))
    row = json.loads(samples.read_text())
    row["scores"][0]["rationales"] = {"overall": "A 🐕🐕 runs to the cafe\u0301 🏃 here."}
    samples.write_text(json.dumps(row) + "\n")
    with_workplace(own_server, lambda w: import_files(w, "jsonl", [samples], "emoji"))
    study = make_study(own_server, "emoji", dataset="emoji", form="evidence", size=1, veil=False)
    enter(page, own_server, study, "emoji1")
    rate_by_keys(page, "22w")
    page.keyboard.press("ArrowLeft")  # the last word
    expect(page.locator(".word.in")).to_have_text("here")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".word.in")).to_have_text("cafe\u0301")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".word.in")).to_have_count(2)
    saved(page)
    (found,) = evidence(own_server, study)
    assert found.text[found.words_start : found.words_end] == "cafe\u0301 🏃 here"
    page.reload()
    expect(page.locator(".word.in, .sentence mark").first).to_contain_text("cafe\u0301")
