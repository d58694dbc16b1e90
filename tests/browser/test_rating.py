import json
import re
from pathlib import Path

from playwright.sync_api import Page, Response, Route, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import (
    PICTURE_IS_THERE,
    Server,
    enter,
    make_study,
    radio,
    rate_by_keys,
    ratings,
    saved,
    with_workplace,
)
from tests.making import import_rows, score
from tests.wait_until import wait_until


def told_in_status(page: Page, words: str) -> None:
    """Wait until the page's status contains these words."""
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def answer(page: Page, group: str, point: int) -> None:
    """Click an answer of the question with that accessible name."""
    page.wait_for_function(PICTURE_IS_THERE)
    radio(page, group, point).check()


def test_a_first_visit_leads_from_the_instructions_to_a_finished_study(page: Page, server: Server) -> None:
    study = make_study(server, "happy", size=2)
    page.goto(f"{server.url}/rate")
    expect(page.get_by_text("Capscope shows how metrics judge image captions")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Inspect").click()
    expect(page.get_by_role("heading", name="See what a caption leaves out")).to_be_visible()
    page.goto(f"{server.url}/rate?study={study.id}")
    expect(page.get_by_role("heading", name="Hello and Welcome!")).to_be_visible()
    expect(page.get_by_text("NOT to evaluate the given score itself")).to_be_visible()
    page.get_by_label("Your code").fill("happy1")
    page.get_by_role("button", name="Start").click()
    for number in (1, 2):
        told_in_status(page, f"{number} of 2")
        for group, point in (("Consistency", 3), ("Factuality", 4), ("Informativeness", 0)):
            answer(page, group, point)
        saved(page)
        page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Thank you, you are done")).to_be_visible()
    expect(page.get_by_text("You rated 2 of 2 items")).to_be_visible()
    stored = ratings(server, study)
    assert len(stored) == 6
    assert {(r.criterion, r.rating) for r in stored} == {("consistency", 3), ("factuality", 4), ("informativeness", 0)}
    assert {r.rater for r in stored} == {"HAPPY1"}
    assert all(r.started_at <= r.submitted_at and r.duration_ms >= 0 for r in stored)


def test_under_the_veil_keys_begin_with_the_question_that_needs_no_picture(page: Page, server: Server) -> None:
    study = make_study(server, "fluency first", size=2, form="longcap-arena", veil=True)
    enter(page, server, study, "fluency1")
    rate_by_keys(page, "421\n" * 2)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    saved(page)
    given = {(r.criterion, r.rating) for r in ratings(server, study)}
    assert given == {("fluency", 4), ("descriptiveness", 2), ("relevance", 1)}


LEAVE_AND_PRESS = """(keys) => {
  document.querySelector(".foot .primary").click();
  for (const key of keys) {
    const event = new KeyboardEvent("keydown", { key, code: /\\d/.test(key) ? `Digit${key}` : key, bubbles: true });
    document.activeElement.dispatchEvent(event);
  }
}"""


def test_keys_that_come_before_the_next_item_is_painted_count_for_that_item(page: Page, server: Server) -> None:
    """The focus moves to a new item only after it is painted."""
    study = make_study(server, "quick", size=2, veil=False)
    enter(page, server, study, "quick1")
    rate_by_keys(page, "432")
    page.evaluate(LEAVE_AND_PRESS, ["4", "3"])
    told_in_status(page, "2 of 2")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    page.keyboard.press("1")  # the third question, which has kept the focus
    saved(page)
    assert sorted(r.rating for r in ratings(server, study)) == [1, 2, 3, 3, 4, 4]


# What a browser reports when a part of the page comes below a pointer that rests.
COMES = """(part, [clientX, clientY]) => {
  part.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, clientX, clientY }));
  part.dispatchEvent(new PointerEvent("pointerenter", { clientX, clientY }));
}"""


def test_the_meaning_in_sight_is_of_the_point_in_focus_under_the_pointer_or_just_given(
    page: Page, server: Server
) -> None:
    study = make_study(server, "arrows", size=2)
    enter(page, server, study, "arrows1")
    told = page.locator(".guideline")
    page.keyboard.press("ArrowRight")
    expect(radio(page, "Consistency", 2)).to_be_focused()
    expect(told).to_contain_text("Consistency 2 (not answered yet): The nuance and tone")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Consistency 4 (not answered yet)")
    expect(radio(page, "Consistency", 4)).not_to_be_checked()
    page.keyboard.press("Space")
    told_in_status(page, "✓ Consistency 4: The nuance and tone")
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Consistency 3 (your answer is 4)")
    radio(page, "Factuality", 4).hover()
    expect(told).to_contain_text("Factuality 4 (not answered yet): The explanation is entirely")
    expect(told).to_be_in_viewport()
    radio(page, "Consistency", 4).focus()
    groups = []
    for _ in range(3):
        groups.append(page.evaluate("document.activeElement.closest('fieldset')?.querySelector('legend').textContent"))
        page.keyboard.press("Tab")
    assert groups == ["Consistency", "Factuality", "Informativeness"]
    radio(page, "Factuality", 1).focus()
    for key, meaning in (("4", "Factuality 4"), ("3", "Informativeness 3")):
        rate_by_keys(page, key)
        expect(told).to_contain_text(meaning)
    saved(page)
    assert sorted(r.rating for r in ratings(server, study)) == [3, 4, 4]
    page.keyboard.press("Enter")
    told_in_status(page, "2 of 2")
    answers = page.locator("label.answer")
    answers.nth(2).scroll_into_view_if_needed()
    box = answers.nth(2).bounding_box()
    assert box
    x, y = round(box["x"]) + 9, round(box["y"]) + 9
    page.mouse.move(x, y)
    page.keyboard.press("4")
    expect(told).to_contain_text("Consistency 4")
    answers.nth(6).evaluate(COMES, [x, y])  # a point that comes below a resting pointer replaces no message
    expect(told).to_contain_text("Consistency 4")
    page.mouse.move(x + 1, y)  # within this answer, so the browser reports no second time that the pointer is over it
    expect(told).to_contain_text("Factuality 3")


def test_the_picture_stays_veiled_until_consistency_is_answered(page: Page, server: Server) -> None:
    study = make_study(server, "veil", size=1)
    enter(page, server, study, "veil1")
    expect(page.locator("figure img")).to_have_count(0)
    expect(page.get_by_text("The picture is shown after you answer Consistency.")).to_be_visible()
    radio(page, "Factuality", 3).click()
    expect(page.locator(".guideline")).to_contain_text("Factuality needs the picture. Answer Consistency first")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    radio(page, "Consistency", 1).focus()
    with page.expect_request(lambda request: "reveal" in (request.post_data or "")):  # it has been seen
        page.keyboard.press("2")
    expect(page.locator("figure img")).to_be_visible()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("4")
    saved(page)
    [record] = ratings(server, study)
    assert record.image_shown_at is not None and record.changed_after_image and record.rating == 4
    assert record.picture_shown


def test_answers_that_come_before_the_picture_wait_for_it_and_enter_goes_on_after_it(
    page: Page, server: Server
) -> None:
    study = make_study(server, "early", size=2)
    held = list[Route]()
    page.route("**/image", lambda route: held.append(route))
    enter(page, server, study, "early1")
    for key in "432":
        page.keyboard.press(key)
    wait_until(lambda: page.evaluate("1") == 1 and len(held) == 1, "the picture's first request")
    page.reload()  # loses nothing that waits
    expect(radio(page, "Informativeness", 2)).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator(".guideline")).to_contain_text("2 answers wait for the picture.")
    wait_until(lambda: page.evaluate("1") == 1 and len(held) == 2, "the picture's second request")
    held[1].continue_()
    told_in_status(page, "item 2 of 2")
    saved(page)
    assert {r.criterion: r.rating for r in ratings(server, study)} == {
        "consistency": 4,
        "factuality": 3,
        "informativeness": 2,
    }


def test_keys_that_come_before_the_picture_and_the_next_item_answer_the_questions_they_were_meant_for(
    page: Page, server: Server
) -> None:
    study, held = make_study(server, "early keys", size=2), list[Route]()
    page.route("**/image", lambda route: held.append(route))
    enter(page, server, study, "early2")
    for key in ("4", "3", "2", "Enter", "1", "1", "Backspace", "3"):
        page.keyboard.press(key)
    expect(page.locator(".guideline")).to_have_text("These keys wait for the next item: 1 3")
    wait_until(lambda: page.evaluate("1") == 1 and len(held) == 1, "the first picture's request")
    held[0].continue_()
    told_in_status(page, "item 2 of 2")
    page.keyboard.press("4")
    wait_until(lambda: page.evaluate("1") == 1 and len(held) == 2, "the second picture's request")
    held[1].continue_()
    wait_until(lambda: page.evaluate("1") == 1 and len(ratings(server, study)) == 6, "every answer")
    given: dict[int, dict[str, int]] = {}
    for record in ratings(server, study):
        given.setdefault(record.item, {})[record.criterion] = record.rating
    names = ("consistency", "factuality", "informativeness")
    assert {tuple(one[name] for name in names) for one in given.values()} == {(4, 3, 2), (1, 3, 4)}


FORM_OF_TEN_AND_TWO = """key = "scales"
title = "Scales"
layout = "single"
[introduction]
paragraphs = ["You see {items} pictures."]
""" + "".join(
    f'[[criteria]]\nkey = "{name.lower()}"\nname = "{name}"\nquestion = "How {name}?"\npoints = [\n'
    + "".join(f'{{ text = "Means {point}." }},\n' for point in range(1, points + 1))
    + "]\n"
    for name, points in (("Ten", 10), ("Two", 2))
)


def test_a_scale_of_ten_points_and_one_of_two_are_answered_by_keys(page: Page, server: Server) -> None:
    study = make_study(server, "scales", size=1, form_text=FORM_OF_TEN_AND_TWO)
    enter(page, server, study, "scales1")
    page.keyboard.press("?")
    expect(page.get_by_role("row", name="0 – 9 answer the focused question")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("0")  # the tenth point, as nobody may abstain here
    expect(page.get_by_text("Ten 10: Means 10.")).to_be_visible()
    page.keyboard.press("3")
    expect(page.get_by_text("Two has the answers 1, 2.")).to_be_visible()
    page.keyboard.press("2")
    saved(page)
    assert [(r.criterion, r.rating) for r in ratings(server, study)] == [("ten", 10), ("two", 2)]


def test_one_button_leaves_an_item_open_and_keys_go_back(page: Page, server: Server) -> None:
    study = make_study(server, "open", size=2)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/rate?study={study.id}")
    expect(page.get_by_role("heading", name="Hello and Welcome!")).to_be_focused()  # not the field below the text
    page.set_viewport_size({"width": 1366, "height": 768})
    enter(page, server, study, "open1")
    for group, few in (("Consistency", "completely misaligned"), ("Factuality", "mostly factual")):
        expect(page.get_by_role("group", name=group).get_by_text(few)).to_be_in_viewport(ratio=1)
    expect(page.locator(".single .answer .point-words")).to_have_count(13)  # four points three times, and abstaining
    rate_by_keys(page, "1\n\n\n")
    told_in_status(page, "Still open: Factuality, Informativeness")
    expect(radio(page, "Factuality", 1)).to_be_focused()
    way_on, leave = page.get_by_role("button", name="Next"), page.get_by_role("button", name="Leave open and go on")
    place = way_on.bounding_box()
    way_on.click()  # Next leaves nothing open
    assert place == way_on.bounding_box()
    expect(way_on).to_have_class("primary")
    expect(leave).not_to_have_class(re.compile("primary"))
    told_in_status(page, "1 of 2")
    leave.click()
    told_in_status(page, "2 of 2")
    rate_by_keys(page, "111\n")
    expect(page.get_by_role("heading", name="You have not finished yet")).to_be_visible()
    page.get_by_role("button", name="Go to the first open item").click()
    told_in_status(page, "1 of 2")
    radio(page, "Factuality", 1).focus()
    rate_by_keys(page, "11")
    way_on.click()  # no other item is open
    expect(page.get_by_role("heading", name="Thank you, you are done")).to_be_visible()
    page.get_by_role("button", name="Look over your answers").click()
    told_in_status(page, "1 of 2")
    expect(radio(page, "Consistency", 1)).to_be_checked()
    expect(radio(page, "Consistency", 1)).to_be_focused()
    page.keyboard.press("Enter")
    told_in_status(page, "2 of 2")
    page.wait_for_function("history.state.capscopePlace === 2")
    page.go_back()
    told_in_status(page, "1 of 2")
    page.go_forward()
    told_in_status(page, "2 of 2")
    page.keyboard.press("Backspace")
    told_in_status(page, "1 of 2")


ON_TOP = """() => {
  const { left, top, width, height } = document.activeElement.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return Boolean(found && document.activeElement.closest("label, button").contains(found));
}"""
CUT = "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length"


def test_explanations_side_by_side_are_whole_rated_one_by_one_and_name_no_metric(page: Page, server: Server) -> None:
    study = make_study(server, "blind FLEUR study", form="expert-side-by-side", size=3)
    seen: list[str] = []

    def keep(response: Response) -> None:
        headers = json.dumps(dict(response.headers))
        seen.append(
            response.url + headers + ("" if "image/" in headers else response.body().decode("utf-8", "replace"))
        )

    page.on("requestfinished", lambda request: keep(request.response()) if "/api/" in request.url else None)
    enter(page, server, study, "blind1")
    for place, (width, height) in enumerate([(1366, 768), (683, 384), (390, 844)], 1):
        told_in_status(page, f"{place} of 3")
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".panel .words").evaluate_all(CUT) == 0
        for number in range(1, 10):  # the questions that need no picture come first
            expect(page.locator("figure img")).to_have_count(0 if number <= 3 else 1)
            rate_by_keys(page, str(1 + number % 3))
            assert page.evaluate(ON_TOP)
        expect(radio(page, "Evaluator 2: Consistency", 3)).to_be_checked()
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    saved(page)
    payload = "\n".join(seen) + page.content()
    assert len(seen) >= 5 and len(ratings(server, study)) == 27
    for secret in ("FLEUR", "EXPERT", "CLAIR", "secretpicture", "secretkey", "capscope:0", "squares"):
        assert secret.casefold() not in payload.casefold(), secret


def test_notes_and_reports_of_an_item_are_kept_and_its_picture_can_be_enlarged(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1000, "height": 500})  # the footer lies over where the note opens
    enter(page, server, make_study(server, "tools", size=1), "tools1")
    note = page.get_by_role("textbox", name="Note")
    page.locator("summary", has_text="Note").click()
    expect(note).to_be_focused()
    page.keyboard.type("4 squares, 3 of them green")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    bare = """(area) => { const { left, bottom } = area.getBoundingClientRect();
        return document.elementFromPoint(left + 20, bottom - 4) === area; }"""
    assert note.evaluate(bare)
    note.fill("The square is <b>green</b>?")
    report, reason = page.get_by_role("button", name="Something is wrong"), page.get_by_label("What is wrong?")
    broken = page.locator("option[value=broken_picture]")
    report.click()
    expect(reason).to_be_focused()
    expect(reason).to_have_value("")
    expect(broken).to_be_disabled()  # the picture is hidden
    page.get_by_role("button", name="Send and answer it").click()
    expect(page.get_by_text("Choose first what is wrong.")).to_be_visible()
    assert findings_in_both_colours(page) == []
    page.keyboard.press("Escape")
    answer(page, "Consistency", 3)
    expect(page.locator(".picture img")).to_be_visible()
    page.keyboard.press("x")
    expect(broken).to_be_enabled()
    reason.select_option("cannot_judge")
    page.get_by_role("button", name="Send and answer it").click()
    expect(page.get_by_text("You reported this item.")).to_be_visible()
    page.get_by_role("button", name="Enlarge the picture").click()
    box = page.get_by_role("dialog", name="Enlarged picture")
    page.keyboard.press("+")
    expect(box).to_contain_text("150 %")
    page.keyboard.press("z")
    expect(box).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="Saving")).to_have_count(0)
    page.reload()
    expect(note).to_have_value("The square is <b>green</b>?")
    report.click()
    page.get_by_role("button", name="Skip this item").click()
    expect(page.get_by_text("You rated 0 of 1 item. You skipped 1 item.")).to_be_visible()


def test_a_missing_picture_is_said_in_its_place_and_does_not_block(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    hostile = score("ZorkScore", 0.5, rationales={"overall": '<script>alert(2)</script> & "quoted"'})
    row = {"id": "x", "image": "missing.jpg", "caption": "<img src=x onerror=alert(1)>", "scores": [hostile]}
    with_workplace(own_server, lambda w: import_rows(w, tmp_path, [row], "lost"))
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    enter(page, own_server, make_study(own_server, "lost", dataset="lost"), "lost1")
    for text in ("The picture of this item is missing.", "“<img src=x onerror=alert(1)>”"):
        expect(page.get_by_text(text)).to_be_visible()
    expect(page.get_by_text('<script>alert(2)</script> & "quoted"')).to_be_visible()
    rate_by_keys(page, "3")
    page.keyboard.press("n")
    told_in_status(page, "I cannot judge this, because the picture is missing.")
    rate_by_keys(page, "3\n")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    for route in ("inspect?sample=13", "studies"):
        page.goto(f"{own_server.url}/{route}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert alerts == []


def test_on_a_small_screen_one_button_leads_to_the_picture_and_the_last_digit_to_the_next_item(
    page: Page, server: Server
) -> None:
    study = make_study(server, "there and back", size=1)
    page.set_viewport_size({"width": 320, "height": 640})
    enter(page, server, study, "there1")
    answer(page, "Consistency", 3)
    page.get_by_role("button", name="Picture", exact=True).click()
    expect(page.locator("figure img")).to_be_in_viewport(ratio=0.5)
    answer(page, "Factuality", 2)
    page.set_viewport_size({"width": 683, "height": 384})  # 200 % of a common screen
    page.reload()
    expect(radio(page, "Factuality", 2)).to_be_checked()
    expect(page.get_by_role("button", name="Next")).not_to_be_in_viewport()
    page.keyboard.press("4")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    expect(page.get_by_role("button", name="Next")).to_be_in_viewport(ratio=1)


def test_chosen_answers_are_told_from_others_in_forced_colours(page: Page, server: Server) -> None:
    study = make_study(server, "forced", size=1)
    page.emulate_media(forced_colors="active")
    enter(page, server, study, "forced1")
    page.keyboard.press("2")
    expect(radio(page, "Consistency", 2)).to_be_checked()
    points = [radio(page, "Consistency", n).locator("+ .point").element_handle() for n in (2, 3)]
    differ = """([chosen, other]) => ["backgroundColor", "color", "borderWidth"].every((name) =>
      getComputedStyle(chosen)[name] !== getComputedStyle(other)[name])"""
    page.wait_for_function(differ, arg=points)  # colours change within 80 ms
