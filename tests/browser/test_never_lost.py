"""Nothing a rater clicks is ever lost: offline, killed servers, several tabs."""

import re
import threading
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import (
    FOCUS_IS_THERE,
    PICTURE_IS_THERE,
    Server,
    enter,
    make_study,
    radio,
    rate_by_keys,
    ratings,
    saved,
    wait_until,
    with_workplace,
)
from ui.services.transfer.backup import back_up, restore

# The first request for items brings three at once, the second what comes after.
FETCHED_AHEAD = """() => performance.getEntriesByType("resource")
    .filter(({ name, responseEnd }) => name.includes("/items?") && responseEnd).length > 1"""


def test_answers_given_offline_are_sent_in_order_when_the_server_is_back_even_after_the_tab_was_closed(
    page: Page, context: BrowserContext, server: Server
) -> None:
    study = make_study(server, "offline", size=3, veil=False)
    enter(page, server, study, "offline1")
    expect(page.locator("fieldset")).to_have_count(3)
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    rate_by_keys(page, "123\n23")
    expect(page.get_by_role("status").filter(has_text="Not connected")).to_contain_text("kept in this browser")
    assert ratings(server, study) == []
    page.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(f"{server.url}/rate?study={study.id}")
    expect(radio(again, "Factuality", 3)).to_be_checked()
    saved(again)
    stored = sorted(ratings(server, study), key=lambda r: (r.submitted_at, r.criterion))
    assert [r.rating for r in stored] == [1, 2, 3, 2, 3]


def test_a_server_killed_again_and_again_during_saves_loses_nothing_and_doubles_nothing(
    page: Page, own_server: Server
) -> None:
    study = make_study(own_server, "killed often", metrics=("FLEUR",), veil=False)
    enter(page, own_server, study, "often1")
    for place in range(1, 5):
        expect(page.get_by_role("region", name=f"Item {place}", exact=True)).to_be_visible()
        killer = threading.Timer(0.025 * place, own_server.kill)
        killer.start()
        rate_by_keys(page, "123")
        killer.join()
        own_server.start()
        saved(page)
        wait_until(lambda done=3 * place: len(ratings(own_server, study)) == done, "every answer")
        rate_by_keys(page, "\n")
    stored = ratings(own_server, study)
    assert len({(r.item, r.rater, r.metric, r.criterion) for r in stored}) == len(stored) == 12
    page.reload()
    expect(page.get_by_role("status").filter(has_text="5 of 12")).to_be_visible()


def test_two_tabs_of_one_rater_show_each_others_answers(page: Page, context: BrowserContext, server: Server) -> None:
    study = make_study(server, "tabs", size=2)
    enter(page, server, study, "tabs1")
    other = context.new_page()
    other.goto(f"{server.url}/rate?study={study.id}")
    expect(other.get_by_role("button", name="Next")).to_be_visible()
    rate_by_keys(page, "4")
    expect(radio(other, "Consistency", 4)).to_be_checked()
    expect(other.get_by_text("not answered yet")).to_have_count(0)
    expect(other.locator(".picture img").first).to_be_visible()
    other.wait_for_function(PICTURE_IS_THERE)  # before that, the page refuses answers about it
    radio(other, "Factuality", 2).check()
    expect(radio(page, "Factuality", 2)).to_be_checked()
    saved(page)
    saved(other)
    assert sorted((r.criterion, r.rating) for r in ratings(server, study)) == [("consistency", 4), ("factuality", 2)]


def test_after_a_lost_cookie_the_code_whose_answers_wait_is_offered_first(
    page: Page, context: BrowserContext, server: Server
) -> None:
    study = make_study(server, "cookie", size=1)
    enter(page, server, study, "cookie1")
    page.get_by_role("button", name="COOKIE1").click()
    key = page.locator(".return-key").inner_text()
    page.keyboard.press("Escape")
    context.clear_cookies()
    rate_by_keys(page, "3")
    expect(page.get_by_role("status").filter(has_text="sign in again as COOKIE1")).to_be_visible()
    page.goto(f"{server.url}/rate?study={study.id}")
    expect(page.get_by_text("1 answer of COOKIE1 waits in this browser")).to_be_visible()
    expect(page.get_by_label("Your code")).to_have_value("COOKIE1")
    expect(page.get_by_label("Return key")).to_be_focused()
    expect(page.get_by_text("ask the person who sent you the link")).to_be_visible()
    page.keyboard.type(key)
    page.keyboard.press("Enter")
    saved(page)
    assert [r.rating for r in ratings(server, study)] == [3]


def test_signing_out_asks_and_enter_on_the_own_code_does_no_harm(page: Page, server: Server) -> None:
    study = make_study(server, "leaving", size=1)
    enter(page, server, study, "leaving1")
    page.get_by_role("button", name="LEAVING1").click()
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="LEAVING1").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog", name="Sign LEAVING1 out?").locator(".return-key")).to_have_text(
        re.compile(r"\w{8}")
    )
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="LEAVING1")).to_be_visible()
    page.get_by_role("button", name="LEAVING1").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign LEAVING1 out").click()
    expect(page.get_by_label("Your code")).not_to_have_value("LEAVING1")


DAMAGED = [
    "null",
    '{"at": 1, "save"',
    '{"at": 1, "save": null}',
    '{"at": 1, "save": {"key": 5, "assignment": "ITEM", "kind": "rating"}}',
    '{"at": "now", "save": {"key": "damaged-one", "assignment": "ITEM", "kind": "rating"}}',
    '{"at": 1, "save": {"key": "damaged-two", "assignment": "ITEM", "kind": "sentence", "said": "wrong"}}',
]
NO_PANEL = """{"at": 1, "save": {"key": "no-such-panel", "assignment": "ITEM", "kind": "rating", "panel": 99,
    "point": 1, "criterion": "factuality"}}"""
KEEP = """([where, texts]) => texts.forEach((text, nth) =>
    localStorage.setItem(`capscope.${where}.DAMAGED1.00000000000000${nth}.x`, text))"""


def test_damaged_answers_in_the_browser_hold_up_no_other_answer(page: Page, server: Server) -> None:
    study = make_study(server, "damaged", size=2, veil=False)
    enter(page, server, study, "damaged1")
    items = f"{server.url}/api/rate/studies/{study.id}/items"
    item = page.request.get(items, headers={"X-Capscope": "1"}).json()["items"][0]["id"]
    rate_by_keys(page, "1")
    saved(page)
    for where in ("outbox", "refused", "sent"):
        page.evaluate(KEEP, [where, [text.replace("ITEM", item) for text in DAMAGED]])
    page.reload()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.wait_for_function(FOCUS_IS_THERE)
    rate_by_keys(page, "2")
    saved(page)
    assert sorted(r.rating for r in ratings(server, study)) == [1, 2]
    page.evaluate(KEEP, ["outbox", [NO_PANEL.replace("ITEM", item)]])
    page.reload()
    expect(page.get_by_role("dialog")).to_contain_text("Expected a panel from 1 to 1, found 99.")
    page.keyboard.press("Escape")
    saved(page)
    assert page.evaluate("Object.values(localStorage).some((text) => text.includes('no-such-panel'))")  # it is kept


def test_a_browser_without_storage_can_rate(page: Page, server: Server) -> None:
    study = make_study(server, "denied", size=1)
    denied = '{ get() { throw new DOMException("denied", "SecurityError"); } }'
    page.add_init_script(f'Object.defineProperty(window, "localStorage", {denied})')
    enter(page, server, study, "denied1")
    rate_by_keys(page, "1")
    saved(page)
    assert [r.rating for r in ratings(server, study)] == [1]


def test_under_the_veil_offline_raters_go_on_and_are_led_back_to_the_picture(
    page: Page, context: BrowserContext, server: Server
) -> None:
    study = make_study(server, "dark", size=4)
    enter(page, server, study, "dark1")
    page.wait_for_function(FETCHED_AHEAD)
    context.set_offline(True)
    rate_by_keys(page, "132")  # two answers wait for the picture; Enter goes on at once, as the page says
    expect(page.get_by_text("The picture appears when the server has your answer.")).to_be_visible()
    for point in (2, 3, 4):
        rate_by_keys(page, "\n")
        expect(radio(page, "Consistency", 1)).to_be_focused()
        rate_by_keys(page, str(point))
        expect(page.get_by_text("The picture appears when the server has your answer.")).to_be_visible()
    with page.expect_request(lambda request: "reveal" in (request.post_data or "")):  # the last one's has been seen
        context.set_offline(False)
    expect(page.locator("figure img")).to_be_visible()
    saved(page)
    assert sorted(r.rating for r in ratings(server, study)) == [1, 2, 3, 4]
    assert {r.image_shown_at is not None for r in ratings(server, study)} == {True, False}  # seen where it was in sight


def put_back(server: Server, backup: Path) -> None:
    """Stop a server, restore a backup into its folder, and start it again."""
    server.kill()
    restore(backup, server.data_dir)
    server.start()


def test_after_a_restore_the_page_sends_again_what_the_server_lacks(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    study = make_study(own_server, "put back", metrics=("FLEUR",), veil=False)
    enter(page, own_server, study, "back1")
    rate_by_keys(page, "111\n")
    saved(page)
    backup = back_up(own_server.data_dir, tmp_path / "backups").folder
    rate_by_keys(page, "222\n")
    rate_by_keys(page, "333\n")
    saved(page)
    put_back(own_server, backup)
    assert len(ratings(own_server, study)) == 3
    rate_by_keys(page, "4")
    wait_until(lambda: len(ratings(own_server, study)) == 10, "every answer")
    saved(page)
    rate_by_keys(page, "44\n")
    saved(page)
    assert sorted(r.rating for r in ratings(own_server, study)) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    page.goto("about:blank")  # a page that is opened later sends them, too
    put_back(own_server, backup)
    assert len(ratings(own_server, study)) == 3
    page.goto(f"{own_server.url}/rate?study={study.id}")
    wait_until(lambda: len(ratings(own_server, study)) == 12, "every answer")
    page.reload()
    expect(page.get_by_role("status").filter(has_text="item 5 of 12")).to_be_visible()


def test_a_rater_whom_a_restored_server_does_not_know_is_told_and_may_start_again(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    study = make_study(own_server, "joined later", metrics=("FLEUR",), veil=False)
    backup = back_up(own_server.data_dir, tmp_path / "backups").folder
    enter(page, own_server, study, "new1")
    rate_by_keys(page, "123\n")
    saved(page)
    put_back(own_server, backup)
    rate_by_keys(page, "4")
    status = page.get_by_role("status").filter(has_text="does not know NEW1 any more")
    expect(status).to_contain_text("Your answers are kept in this browser, and not on the server")
    assert status.evaluate("(shown) => getComputedStyle(shown, '::before').content") == '"! "'  # no tick
    expect(page.get_by_text("sign in again as")).to_have_count(0)
    page.get_by_role("button", name="Start again as NEW1").click()
    expect(page.get_by_label("Your code")).to_have_value("NEW1")
    page.get_by_role("button", name="Start").click()
    wait_until(lambda: len(ratings(own_server, study)) == 4, "every answer")
    assert sorted(r.rating for r in ratings(own_server, study)) == [1, 2, 3, 4]
    saved(page)


def test_a_page_whose_study_stops_says_so_and_lets_nobody_rate_for_nothing(page: Page, server: Server) -> None:
    study = make_study(server, "deleted meanwhile", size=3, veil=False)
    enter(page, server, study, "gone1")
    rate_by_keys(page, "12")
    saved(page)
    with_workplace(server, lambda w: w.repository.studies.step(study.id, "paused"))
    expect(page.get_by_role("heading", name="This study is paused")).to_be_visible()
    with_workplace(server, lambda w: w.repository.studies.step(study.id, "running"))
    expect(radio(page, "Factuality", 2)).to_be_checked()
    with_workplace(server, lambda w: w.repository.managing.delete_study(study.id, study.name))
    expect(page.get_by_role("heading", name="This study is no longer here")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_have_count(0)
