"""A study's manager at work: a draft with gold, repeats and training, a panel's link, a cheat, a dispute, the end."""

import itertools
import re
from functools import partial
from typing import Any

from playwright.sync_api import Locator, Page, expect

from storage.study_types import Study
from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import Server, come_back, with_workplace
from tests.making import CRITERIA, rating
from tests.ui.forms_played import german
from ui.services.workplace import Workplace


def card_of(page: Page, name: str) -> Locator:
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=name, exact=True))


def close(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def fits(page: Page, what: str) -> None:
    """Nothing is wrong with what is open, light and dark, nor must anybody scroll sideways on a phone."""
    whole = page.viewport_size
    assert findings_in_both_colours(page) == [], what
    page.set_viewport_size({"width": 320, "height": 640})
    wide: Any = page.evaluate(
        """() => {
            const box = document.querySelector("dialog[open]") ?? document.documentElement;
            const over = [...box.querySelectorAll("*")].filter(one => one.getBoundingClientRect().right > innerWidth + 1
                && !one.closest(".records, .raters, .table-box"));
            return [box.scrollWidth > box.clientWidth, over.slice(0, 3).map(one => one.outerHTML.slice(0, 80))];
        }"""
    )
    assert wide == [False, []], what
    assert whole is not None
    page.set_viewport_size(whole)


def rate(workplace: Workplace, study: Study, code: str, points: tuple[int, ...], ms: int) -> None:
    """Answer every item that a rater gets, one point after another."""
    rater, given = workplace.repository.raters.add(code), itertools.cycle(points)
    for place in itertools.count(1):
        items = workplace.repository.desk.queue(study.id, rater, place, 1).items
        if not items:
            return
        saves = [rating(items[0], key, next(given), in_sight_ms=ms) for key in CRITERIA]
        assert workplace.repository.save(rater, saves) == (None,) * len(saves)


def test_a_manager_leads_a_study_from_a_draft_to_its_end(page: Page, own_server: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{own_server.url}/studies")
    page.get_by_role("button", name="New study").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("python app.py import FORMAT FILE")
    dialog.get_by_label("Name").fill("Paid")
    dialog.get_by_label("squares").check()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_label("FLEUR").check()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_label("Raters per item").fill("2")
    expect(dialog.get_by_label("Start now")).not_to_be_checked()
    dialog.get_by_label("Items per rater").fill("6")
    needed = r"Each rater gets 6 items, about \d+ minutes. 12 items × 2 raters = 24 item ratings: 4 raters are needed\."
    expect(dialog.locator(".preview")).to_contain_text(re.compile(needed))
    boxes = [dialog.locator(f"#{field}").bounding_box() for field in ("size", "raters", "items-for-one", "seed")]
    columns = {(round(box["x"]), round(box["width"])) for box in boxes if box}  # in whole pixels
    assert len(columns) == 1
    dialog.get_by_label("Items per rater").fill("")
    expect(dialog.locator(".preview")).to_contain_text("Each rater gets up to 12 items")
    expect(dialog.locator(".preview")).not_to_contain_text("false")
    dialog.get_by_role("button", name="Create study").click()

    card = card_of(page, "Paid")
    expect(card).to_contain_text("This study is a draft. Raters get no items before you start")
    expect(card).to_contain_text("0 of 24 item ratings are done (12 items × 2 raters).")
    expect(card).to_contain_text("Each rater gets up to 12 items, about")
    expect(card.locator(".primary")).to_have_text("Manage")
    card.locator("summary").filter(has_text="Quality").click()
    card.get_by_role("button", name="Gold, repeats, practice").click()
    page.get_by_label("One gold item in every").fill("4")
    page.get_by_label("One repeated item in every").fill("6")
    expect(dialog).to_contain_text("Each rater gets up to 12 items + 1 repeat, about")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("Saved.")
    page.get_by_label("How many").fill("4")
    dialog.get_by_role("button", name="Propose").click()
    ticks = dialog.get_by_text("Select this item")
    expect(ticks).to_have_count(4)
    proposed = set(dialog.locator(".caption").all_inner_texts())
    for nth in range(3):
        ticks.nth(nth).click()
    fits(page, "proposals")
    dialog.get_by_role("button", name="Use as gold").click()
    expect(dialog.get_by_role("heading", name="There are 3 gold and 0 practice items")).to_be_visible()
    expect(dialog).to_contain_text("Gold, approved on this machine; given 0 times.")
    dialog.get_by_role("button", name="Propose").click()
    expect(ticks).to_have_count(4)
    again = dialog.locator(".control:has(input)").locator(".caption").all_inner_texts()
    assert len(proposed & set(again)) <= 1  # none of what is gold already
    ticks.first.click()
    dialog.get_by_role("button", name="Use as practice").click()
    expect(dialog.get_by_role("heading", name="There are 3 gold and 1 practice items")).to_be_visible()
    expect(dialog).to_contain_text("Each rater gets up to 12 items + 1 practice + 3 gold + 1 repeat, about")
    fits(page, "gold")
    close(page)
    expect(card).to_contain_text("Each rater gets up to 12 items + 1 practice + 3 gold + 1 repeat, about")

    card.get_by_role("button", name="Links for raters").click()
    page.get_by_text("A link for Prolific").click()
    expect(page.get_by_label("Address parameter that identifies the rater")).to_have_value("PROLIFIC_PID")
    page.locator("#panel-code-done").fill("C1DONE")
    page.get_by_text("Address parameters, return addresses and further completion codes").click()
    assert page.locator("#panel-address-done").bounding_box()["width"] > 400  # type: ignore[index]  # it is long
    fits(page, "links")
    page.get_by_role("button", name="Create the platform’s link").click()
    expect(dialog).to_contain_text("The links work on this computer only.")
    fits(page, "a new link")
    close(page)
    card.get_by_role("button", name="Manage", exact=True).click()
    fits(page, "manage")
    dialog.get_by_role("button", name="Start the study").click()
    expect(card.locator(".state")).to_have_text("running")

    study: Study = with_workplace(own_server, lambda w: w.repository.studies.named("Paid"))
    for code, points, ms in (("CARE1", (4, 2, 3), 30_000), ("CHEAT", (3,), 300)):
        with_workplace(own_server, partial(rate, study=study, code=code, points=points, ms=ms))
    come_back(page)
    expect(card).to_contain_text("Complete: 2 raters have rated each of the 12 items. You can close the study")
    expect(card.locator(".flagged")).to_contain_text(re.compile(r"CHEAT.*0\.3 s per item.*gold items answered right"))
    row = card.get_by_role("row", name=re.compile("CHEAT"))
    row.get_by_role("button", name="Manage CHEAT").click()
    page.get_by_label("Why").fill("0.3 s an item, one answer to everything, no gold item passed; told before")
    fits(page, "a rater")
    dialog.get_by_role("button", name="Exclude").click()
    expect(card).to_contain_text("12 of 24 item ratings are done")
    expect(card.locator(".flagged")).not_to_contain_text("CHEAT")
    expect(row.get_by_role("button", name="Manage CHEAT")).to_be_in_viewport(ratio=1)  # however long the reason
    with_workplace(own_server, lambda w: w.repository.desk.queue(study.id, w.repository.raters.add("GONE1")))
    come_back(page)
    gone = card.locator("table.raters").get_by_role("row", name=re.compile("GONE1"))
    expect(gone).to_contain_text("0 of ")
    card.get_by_role("button", name="Manage", exact=True).click()
    page.get_by_label("Codes or participant ids").fill("GONE1")
    fits(page, "manage, with raters")
    dialog.get_by_role("button", name="Give their open items to others").click()
    expect(gone).to_contain_text("given back for other raters")
    with_workplace(own_server, lambda w: rate(w, study, "CARE2", (4, 4, 3), 30_000))
    come_back(page)
    expect(card).to_contain_text("Complete: 2 raters")

    close(page)
    card.get_by_role("button", name="Manage", exact=True).click()
    dialog.get_by_role("button", name="Close the study").click()
    expect(card.locator(".state")).to_have_text("closed")


def test_the_wizard_stays_at_a_form_that_is_refused_says_why_and_makes_nothing(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/studies")
    page.get_by_role("button", name="New study").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("never made")
    dialog.get_by_label("squares").check()
    dialog.get_by_role("button", name="Continue").click()
    broken = german("broken", criteria=1).replace('"single"', '"diagonal"').encode()
    for name, content, why in (
        ("layout.toml", broken, "layout.toml, line 3, layout: expected"),
        ("half.toml", b'key = "half', "half.toml, the file: expected"),
        ("large.toml", b"#" * 100_001, "A form may have at most 100,000 bytes."),
    ):
        page.get_by_label("A form of your own").set_input_files(
            {"name": name, "mimeType": "application/toml", "buffer": content}
        )
        expect(dialog.get_by_role("alert").filter(has_text=f"Your file has an error. {why}")).to_be_visible()
        expect(dialog.get_by_role("radio", checked=True)).to_have_count(0)
        dialog.get_by_role("button", name="Continue").click()
        refused = "Your file has an error. Choose another file, or one of the forms above."
        expect(dialog.get_by_role("alert").filter(has_text=refused)).to_be_visible()
        expect(dialog.get_by_label("A form of your own")).to_be_visible()  # still the same step
        expect(dialog.get_by_role("button", name="Create study")).to_have_count(0)
    fits(page, "a refused form")
    assert "never made" not in with_workplace(server, lambda w: [s.name for s in w.repository.studies.all()])
    dialog.get_by_label("Side by side").check()
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_role("button", name="Create study")).to_be_visible()
