"""The wizard for a new study, with steps backward, a slow server and a dialog that is left."""

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Server


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
