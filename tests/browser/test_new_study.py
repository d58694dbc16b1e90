"""The wizard for a new study, with steps backward, a slow server and a dialog that is left."""

import re

from playwright.sync_api import Locator, Page, Route, expect

from core.studies.asking.ready_texts import CONSENT
from tests.browser.conftest import Server, make_study, with_workplace
from tests.browser.test_managing import card_of


def _begin(page: Page, server: Server) -> Locator:
    page.goto(f"{server.url}/studies")
    page.get_by_role("button", name="New study").click()
    return page.get_by_role("dialog", name="New study")


def test_a_name_that_was_typed_is_there_again_after_escape(page: Page, server: Server) -> None:
    dialog = _begin(page, server)
    dialog.get_by_label("Name").fill("typed and left")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="New study").click()
    expect(dialog.get_by_label("Name")).to_have_value("typed and left")


def test_what_is_wrong_with_a_draw_is_not_told_on_the_step_before(page: Page, server: Server) -> None:
    dialog = _begin(page, server)
    dialog.get_by_label("Name").fill("slow draw")
    dialog.get_by_label("squares").check()
    for _ in range(2):
        dialog.get_by_role("button", name="Continue").click()
    expect(dialog.locator(".preview")).to_contain_text("Each rater gets")
    dialog.get_by_text("Raters, hours, cost and power").click()
    dialog.get_by_label("Currency").select_option("GBP")
    dialog.get_by_label("Hourly pay").fill("9")
    expect(dialog.locator(".forecast-answer")).to_contain_text("Pay: ")
    held: list[Route] = []
    page.route("**/api/studies/preview", lambda route: held.append(route))
    with page.expect_request("**/api/studies/preview"):
        dialog.get_by_label("By human score").check()  # no sample here has one
    dialog.get_by_role("button", name="Back").click()
    expect(dialog.get_by_label("A form of your own")).to_be_visible()
    with page.expect_response("**/api/studies/preview") as answer:
        held[0].continue_()
    answer.value.finished()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(dialog.locator(".problem").filter(has_text="human")).to_have_count(0)
    expect(dialog.get_by_label("A form of your own")).to_be_visible()


def test_a_new_study_asks_for_consent_and_about_the_task_and_says_what_raters_at_hand_cover(
    page: Page, server: Server
) -> None:
    dialog = _begin(page, server)
    dialog.get_by_label("Name").fill("asks first")
    dialog.get_by_label("squares").check()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("radio", name="Guided").check()
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.locator(".preview")).to_contain_text("+ 2 practice")
    dialog.get_by_text("Raters, hours, cost and power").click()
    expect(dialog.get_by_label("Practice items")).to_have_attribute("placeholder", "2")
    dialog.get_by_label("Raters per item").fill("2")
    dialog.get_by_label("Items per rater").fill("4")
    dialog.get_by_label("Raters who leave").fill("0")
    dialog.get_by_label("Raters that you can invite").fill("5")
    answer = dialog.locator(".forecast-answer")
    expect(answer).to_contain_text("If you invite 5 raters: they give 20 item ratings")
    dialog.get_by_label("Raters that you can invite").fill("30")
    expect(answer).to_contain_text(" get all their ratings.")
    expect(answer).not_to_contain_text("Each item gets")
    dialog.get_by_label("Currency").select_option("GBP")
    dialog.get_by_label("Reward that").fill("2.00")
    expect(answer).to_contain_text("Pay: £2.00 for each rater, ")
    minutes = re.compile(r"about (\d+) minutes")
    preview = dialog.locator(".preview")
    expect(preview).to_contain_text(minutes)
    expect(answer).to_contain_text(minutes.findall(preview.inner_text())[0] + " minutes")
    dialog.get_by_label("Currency").select_option("")
    dialog.get_by_label("Reward that").fill("")
    dialog.get_by_role("button", name="Back").click()
    dialog.get_by_role("radio", name="EXPERT: one explanation").check()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_label("Ask for consent").check()
    expect(dialog.get_by_label("Consent text")).to_have_value(CONSENT)
    dialog.get_by_label("Consent text").fill("We keep your answers.")
    dialog.get_by_role("button", name="Back").click()
    dialog.get_by_role("radio", name="Guided").check()
    dialog.get_by_role("radio", name="EXPERT: one explanation").check()
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_label("Consent text")).to_have_value("We keep your answers.")  # another form loses no edit
    expect(preview).to_contain_text(re.compile(r"seed \d"))  # the preview is asked for again after each change
    seed = re.findall(r"seed (\d+)", preview.inner_text())[0]
    dialog.get_by_label("Start now").check()
    dialog.get_by_role("button", name="Create study").click()
    expect(dialog).to_have_count(0)
    card = card_of(page, "asks first")
    expect(card.get_by_role("button", name="Make a link")).to_be_focused()
    steps = card.locator(".next-steps")
    expect(steps).to_contain_text("Next, add items with known answers and make a link for raters.")
    card.get_by_role("button", name="Add gold and practice").click()
    page.get_by_label("How many").fill("3")
    page.get_by_role("button", name="Propose").click()
    ticks = page.get_by_text("Select this item")
    expect(ticks).to_have_count(3)
    for _ in range(2):
        ticks.first.click()
        page.get_by_role("button", name="Use as gold").click()
        expect(page.get_by_text("1 item is now gold")).to_be_visible()
        page.get_by_text("1 item is now gold").evaluate("one => { one.textContent = ''; }")
    expect(ticks).to_have_count(1)  # the item that was not selected stays
    gold = page.get_by_role("dialog")
    expect(gold).to_contain_text("The study has 2 gold items, but raters get none")  # one in every 15 items is too few
    gold.get_by_label("One gold item in every").fill("2")
    expect(gold).not_to_contain_text("but raters get none")
    gold.get_by_label("Stop a rater after").fill("3")
    expect(gold).to_contain_text("Raters are never stopped at 3 failed gold items")
    gold.get_by_role("button", name="Close", exact=True).click()
    expect(steps).to_contain_text("Next, make a link for raters.")
    study = with_workplace(server, lambda w: w.repository.studies.named("asks first"))
    assert str(study.seed) == seed  # the previewed draw is the study's
    assert study.course.state == "running"
    entry = with_workplace(server, lambda w: w.repository.visits.entry(study.id))
    assert entry.consent == "We keep your answers."


def test_the_planners_numbers_are_those_of_the_dialog_for_gold(page: Page, own_server: Server) -> None:
    dialog = _begin(page, own_server)
    dialog.get_by_label("Name").fill("planned gold")
    dialog.get_by_label("squares").check()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_text("Raters, hours, cost and power").click()
    dialog.get_by_label("One gold item in every").fill("6")
    dialog.get_by_label("Practice items").fill("3")
    dialog.get_by_role("button", name="Create study").click()
    card = card_of(page, "planned gold")
    expect(card.locator(".next-steps")).to_contain_text("make a link for raters and start the study under “Manage”.")
    card.get_by_role("button", name="Add gold and practice").click()
    gold = page.get_by_role("dialog")
    expect(gold.get_by_label("One gold item in every")).to_have_value("6")
    expect(gold).to_contain_text("You planned 3 practice items.")


def test_a_link_asks_only_for_the_codes_that_the_study_needs_and_warns_if_one_is_missing(
    page: Page, server: Server
) -> None:
    study = make_study(server, "one code", size=2, form="expert-single", raters_per_item=1)
    page.goto(f"{server.url}/studies")
    card = card_of(page, "one code")
    expect(card).to_contain_text("The form asks for 2 practice items, and the study has 0.")
    card.get_by_role("button", name="Links for raters").click()
    page.get_by_text("A link for Prolific").click()
    for kind, is_needed in (("done", True), ("full", True), ("screened_out", False)):
        expect(page.locator(f"#panel-code-{kind}")).to_be_visible(visible=is_needed)
    page.locator("#panel-code-done").fill("C1")
    page.get_by_role("button", name="Create the platform’s link").click()
    missing = "raters who find the study full"
    expect(page.get_by_role("dialog")).to_contain_text(missing)
    address = page.locator(".fresh-links code").inner_text()
    page.get_by_role("button", name="Change codes").click()
    codes = page.get_by_role("dialog", name="Codes of the link for Prolific")
    expect(codes.locator("#change-code-done")).to_have_value("C1")
    codes.locator("#change-code-full").fill("C3")
    codes.locator("#change-code-full").fill("C2")
    codes.get_by_role("button", name="Save codes").click()
    links = page.get_by_role("dialog")
    expect(links.get_by_role("row", name="Prolific")).to_contain_text(
        "C1 (who finished), C3 (who found the study full)"
    )
    expect(links).not_to_contain_text(missing)
    expect(links).to_contain_text(address)  # the same address stays valid
    links.get_by_role("button", name="Close link").click()
    expect(links).not_to_contain_text(address)
    expect(links).to_contain_text("its address no longer works")
    page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    expect(card).not_to_contain_text(missing)
    with_workplace(server, lambda w: w.repository.erasures.delete_study(study.id, "one code"))
