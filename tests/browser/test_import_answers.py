"""A rater's saved answers, brought to Studies by the manager after a restore."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, enter, make_study, rate_by_keys, ratings, saved
from tests.browser.test_never_lost import put_back
from ui.services.backup import back_up


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
    expect(dialog.get_by_role("status").filter(has_text="is not a file of answers")).to_be_visible()
    content = json.loads(file.read_text())
    odd = {"at": 1, "save": {"odd": "<img src=x onerror=alert(1)>"}}
    file.write_text(json.dumps(content | {"answers": [*content["answers"], odd]}))
    dialog.get_by_label("The rater's file").set_input_files(file)
    told = dialog.get_by_role("status").filter(has_text="Rater NEW7.")
    expect(told).to_contain_text("To store: 3 answers about 1 item.")
    expect(told).to_contain_text("Refused: 1 answer. The answer has fields or values that no answer has.")
    assert ratings(own_server, study) == []
    dialog.get_by_label("Make the rater NEW7").check()
    dialog.get_by_role("button", name="Store 3 answers").click()
    expect(told).to_contain_text("Stored 3 answers about 1 item.")
    assert sorted(rating.rating for rating in ratings(own_server, study)) == [1, 2, 3]
    dialog.get_by_label("The rater's file").set_input_files(file)
    expect(told).to_contain_text("Already here: 3 answers.")
    expect(told).to_contain_text("There is nothing to store.")
