"""A rater's saved answers, brought to Studies by the manager after a restore."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Server, enter, make_study, rate_by_keys, ratings, saved, with_workplace
from tests.browser.test_never_lost import put_back
from ui.services.transfer.backup import back_up
from ui.services.workplace import Workplace


def test_a_manager_imports_a_raters_file_and_sees_beforehand_what_will_be_stored(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    study = make_study(own_server, "to import", metrics=("FLEUR",), veil=False)
    backup = back_up(own_server.data_dir, tmp_path / "backups").folder
    enter(page, own_server, study, "new7")
    rate_by_keys(page, "123")
    saved(page)
    page.goto("about:blank")
    put_back(own_server, backup)
    page.context.clear_cookies()
    page.goto(f"{own_server.url}/rate?study={study.id}")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save answers as a file").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert ratings(own_server, study) == []

    page.goto(f"{own_server.url}/studies")
    page.get_by_role("button", name="Manage").click()
    dialog = page.get_by_role("dialog", name="Manage to import")
    dialog.get_by_text("Import answers from a rater").click()
    hostile = tmp_path / "hostile.json"
    hostile.write_text('{"rater": "<b>x</b>", "answers": ')
    dialog.get_by_label("The rater's file").set_input_files(hostile)
    expect(dialog.get_by_role("status").filter(has_text="is not a file with answers from a browser")).to_be_visible()
    content = json.loads(file.read_text())
    odd = {"at": 1, "save": {"odd": "<img src=x onerror=alert(1)>"}}
    file.write_text(json.dumps(content | {"answers": [*content["answers"], odd]}))
    dialog.get_by_label("The rater's file").set_input_files(file)
    told = dialog.get_by_role("status").filter(has_text="Rater NEW7.")
    expect(told).to_contain_text("To store: 3 answers about 1 item.")
    expect(told).to_contain_text("Refused: 1 answer. The answer has unknown fields or values.")
    assert ratings(own_server, study) == []
    dialog.get_by_label("Create the rater NEW7").check()
    dialog.get_by_role("button", name="Store 3 answers").click()
    expect(told).to_contain_text("Stored 3 answers about 1 item.")
    assert sorted(rating.rating for rating in ratings(own_server, study)) == [1, 2, 3]
    dialog.get_by_label("The rater's file").set_input_files(file)
    expect(told).to_contain_text("Already on this server: 3 answers.")
    expect(told).to_contain_text("The file contains no new answers.")


def test_a_large_file_is_read_and_stored_part_by_part_and_the_page_tells_how_far_it_is(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    study = make_study(own_server, "large", metrics=("FLEUR",), veil=False)
    with_workplace(own_server, lambda w: w.repository.raters.add("K7"))
    item = with_workplace(own_server, lambda w: _first_item(w, study.id))
    save = {"key": "the-only-one", "assignment": item, "kind": "rating", "panel": 1, "criterion": "factuality"}
    odd: list[Any] = [{"odd": number} for number in range(1200)]
    answers = [*odd, {"at": 1_790_000_000_000, "save": {**save, "point": 3}}]
    file = tmp_path / "answers-of-K7.json"
    file.write_text(json.dumps({"capscope": "answers", "version": 1, "rater": "K7", "answers": answers}))

    page.goto(f"{own_server.url}/studies")
    page.get_by_role("button", name="Manage", exact=True).click()
    dialog = page.get_by_role("dialog", name="Manage large")
    dialog.get_by_text("Import answers from a rater").click()
    told = dialog.get_by_role("status").filter(has_text="answers")
    held: list[Route] = []

    def hold_the_third(route: Route) -> None:
        held.append(route)
        if len(held) != 3:
            route.continue_()

    for path, words in (("preview", "Reading the file"), ("answers", "Storing")):
        held.clear()
        page.route(f"**/{path}", hold_the_third)
        if path == "preview":
            dialog.get_by_label("The rater's file").set_input_files(file)
        else:
            dialog.get_by_role("button", name="Store 1 answer").click()
        expect(told).to_contain_text(f"{words}: 1,000 of 1,201 answers")
        if path == "answers":
            held[2].abort()
            so_far = "Imported so far: 1,000 of 1,201 answers."
            failed = f"The server does not answer. {so_far} Press the button again to continue."
            expect(dialog.get_by_role("alert").filter(has_text=failed)).to_be_visible()
            page.unroute(f"**/{path}")
            assert ratings(own_server, study) == []
            dialog.get_by_role("button", name="Store 1 answer").click()
        else:
            held[2].continue_()
            expect(told).to_contain_text("To store: 1 answer about 1 item.")
            expect(told).to_contain_text("Refused: 1200 answers. The answer has unknown fields or values.")
    expect(told).to_contain_text("Stored 1 answer about 1 item.")
    assert [rating.rating for rating in ratings(own_server, study)] == [3]


def _first_item(workplace: Workplace, study: int) -> str:
    (item,) = workplace.repository.desk.queue(study, workplace.repository.raters.named("K7"), None, 1).items
    return str(item.id)
