"""Hints at sentences: none before the answer, then where things are; the regions that they name are pointed out."""

from pathlib import Path

from playwright.sync_api import Page, expect

from core.regions import masks
from core.types import ImageRegion
from storage.types import Search
from tests.browser.axe import findings
from tests.browser.conftest import Server, enter, make_study, rate_by_keys, saved, with_workplace
from tests.browser.resting_pointer import RestingPointer
from tests.making import import_rows, rows
from ui.services.workplace import Workplace

FORM = (Path(__file__).parents[2] / "core" / "studies" / "forms" / "evidence.toml").read_text(encoding="utf-8")
SIZE = (48, 64)


def dogs_and_cars(workplace: Workplace, folder: Path) -> int:
    """Import one sample whose picture has two regions; returns its id."""
    samples = rows(1, ("ZorkScore",))
    samples[0]["caption"] = "A dog and a cat."
    samples[0]["scores"][0]["rationales"] = {"overall": "The image shows a dog. There is a cat on a sofa. It is day."}
    import_rows(workplace, folder, samples, "dogs")
    half = masks.from_polygons([[2, 2, 30, 2, 30, 40, 2, 40]], SIZE)
    regions = [ImageRegion(half, SIZE, "car"), ImageRegion(masks.full(SIZE), SIZE, "dog")]
    workplace.repository.annotate("dogs", {samples[0]["image"]: regions}, ("dog", "cat", "car"))
    return workplace.repository.samples.search(Search("dogs"), 0, 1).samples[0].id


def test_hints_come_beneath_a_sentence_once_it_is_judged(page: Page, server: Server, tmp_path: Path) -> None:
    sample = with_workplace(server, lambda workplace: dogs_and_cars(workplace, tmp_path))
    form = FORM.replace('hints = "never"', 'hints = "after"')
    study = make_study(server, "hinted", dataset="dogs", form_text=form, veil=False)
    enter(page, server, study, "hinted1")
    hints = page.locator(".hint")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/hints") else None)
    expect(page.locator(".sentence")).to_have_count(3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")  # wrong, and its kind is asked for
    saved(page)
    assert asked == [] and hints.count() == 0
    rate_by_keys(page, "12")
    expect(hints).to_have_text(["“cat”: only in the caption"])
    expect(page.get_by_text("Sentence 2: “cat”: only in the caption.")).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    rate_by_keys(page, "1")
    expect(hints).to_have_text(["“dog”: on the picture", "“cat”: only in the caption"])
    hints.first.hover()
    expect(page.locator(".place.hinted title")).to_have_text("dog (2)")
    saved(page)
    assert findings(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.reload()
    expect(hints).to_have_text(["“dog”: on the picture", "“cat”: only in the caption"])
    assert len(asked) == 4
    on_inspect(page, f"{server.url}/?dataset=dogs&sample={sample}")


def on_inspect(page: Page, address: str) -> None:
    """See what the regions contradict, and point at sentences of an explanation, by pointer and by keys."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(address)
    words, lit = page.locator(".said-where"), page.locator(".said-over")
    expect(page.locator(".said-sentence.contradicted")).to_have_text("There is a cat on a sofa.")  # nobody points yet
    page.locator(".explanation").first.hover()
    sentences = page.locator(".said-sentence")
    expect(sentences).to_have_text(["The image shows a dog.", "There is a cat on a sofa.", "It is day."])
    first = sentences.nth(0)
    pointer = RestingPointer(page, first)
    expect(words).to_have_text("“dog”: on the picture")
    expect(lit).to_have_count(1)
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(words).to_have_text("“cat”: only in the caption")
    expect(lit).to_have_count(0)
    page.keyboard.press("ArrowRight")
    nothing = "The sentence names nothing that has a region of its own in this picture."
    expect(words).to_have_text(nothing)
    pointer.part_comes(first)
    expect(words).to_have_text(nothing)
    pointer.moves()
    expect(words).to_have_text("“dog”: on the picture")
    pointer.part_leaves(first, ".sample-view")  # as when the page is scrolled
    pointer.moves()
    expect(words).to_be_empty()
    sentences.nth(1).hover()
    expect(words).to_have_text("“cat”: only in the caption")
    first.hover()
    expect(words).to_have_text("“dog”: on the picture")
    assert findings(page, within=".explanation") == []
