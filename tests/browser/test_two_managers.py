"""Two managers who change the same settings: the second one sees what the first one wrote, and chooses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from storage.study_types import Study
from tests.browser.conftest import Server, make_study, wait_until, with_workplace, write_samples
from tests.browser.profiles import Profiles
from tests.browser.test_managing import card_of, fits
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace


@dataclass(frozen=True)
class Two:
    """Ann and Bob, each in a browser of their own."""

    server: Server
    ann: Page
    bob: Page

    def open(self, study: Study, button: str) -> tuple[Locator, Locator]:
        """Let both open the same dialog of a study, before either changes anything."""
        dialogs = []
        for page in (self.ann, self.bob):
            page.goto(f"{self.server.url}/studies")
            card = card_of(page, study.name)
            card.locator("details.quality").evaluate("details => details.open = true")
            card.get_by_role("button", name=button, exact=True).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            dialogs.append(page.get_by_role("dialog"))
        return dialogs[0], dialogs[1]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that demands sign-in, with a small data set."""
    folder = tmp_path_factory.mktemp("two")
    running = Server(folder / "data")
    running.data_dir.mkdir()
    with_workplace(running, lambda w: import_files(w, "jsonl", [write_samples(folder / "files")], "squares"))
    running.environ["CAPSCOPE_PUBLIC_URL"] = running.url
    running.start()
    yield running
    running.stop()


@pytest.fixture
def two(guarded: Server, profiles: Profiles) -> Iterator[Two]:
    with profiles.page() as ann, profiles.page() as bob:
        for name, page in (("ann", ann), ("bob", bob)):
            _sign_in(guarded, page, name)
        yield Two(guarded, ann, bob)


def _sign_in(server: Server, page: Page, name: str) -> None:
    """Set the account's password by a link, as people do."""

    def link(workplace: Workplace) -> str:
        accounts = workplace.repository.accounts
        if name not in [one.name for one in accounts.all()]:
            accounts.add(name, "admin")
        return accounts.new_link(name, timedelta(hours=1))

    page.goto(f"{server.url}/password/{with_workplace(server, link)}")
    page.get_by_label("Password", exact=True).fill("correct horse battery staple")
    page.get_by_label("Repeat the password").fill("correct horse battery staple")
    page.get_by_role("button", name="Set password and sign in").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def _course(server: Server, study: Study) -> Any:
    return with_workplace(server, lambda w: w.repository.studies.get(study.id).course)


def test_who_saves_second_sees_both_entries_and_keeps_their_own(two: Two) -> None:
    study = make_study(two.server, "two settle", raters_per_item=1)
    anns, bobs = two.open(study, "Manage")
    anns.get_by_label("Hours of inactivity").fill("7")
    anns.get_by_role("button", name="Save", exact=True).click()
    expect(two.ann.get_by_role("dialog")).to_have_count(0)
    bobs.get_by_label("Hours of inactivity").fill("9")
    bobs.get_by_role("button", name="Save", exact=True).click()
    conflict = bobs.get_by_role("alert").filter(has_text="because ann")
    expect(conflict).to_contain_text(re.compile(r"Their version: 7\s*Your version: 9"))
    expect(conflict).to_be_focused()
    expect(bobs.get_by_label("Hours of inactivity")).to_have_value("9")
    assert _course(two.server, study).hold_hours == 7
    fits(two.bob, "a conflict")
    conflict.get_by_role("button", name="Save my version").click()
    expect(two.bob.get_by_role("dialog")).to_have_count(0)
    assert _course(two.server, study).hold_hours == 9


def test_theirs_are_taken_into_the_dialog_and_can_be_changed_from_there(two: Two) -> None:
    study = make_study(two.server, "two ask")
    anns, bobs = two.open(study, "Manage")
    for dialog, consent in ((anns, "Ann’s <b>words</b>"), (bobs, "Bob’s words")):
        dialog.get_by_text("Consent and questions", exact=True).click()
        expect(dialog.get_by_label("Consent text, shown first")).to_be_enabled()
        dialog.get_by_label("Consent text, shown first").fill(consent)
    for dialog in (anns, bobs):
        dialog.get_by_role("button", name="Save consent and questions").click()
        expect(dialog.get_by_role("status").filter(has_text="Saved.").or_(_conflict(dialog))).to_be_visible()
    expect(_conflict(bobs)).to_contain_text("Their version: Ann’s <b>words</b>")
    _conflict(bobs).get_by_role("button", name="Keep their version").click()
    expect(bobs.get_by_label("Consent text, shown first")).to_have_value("Ann’s <b>words</b>")
    expect(_conflict(bobs)).to_be_hidden()
    bobs.get_by_label("Consent text, shown first").fill("Both words")
    bobs.get_by_role("button", name="Save consent and questions").click()
    expect(bobs.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    assert with_workplace(two.server, lambda w: w.repository.visits.entry(study.id).consent) == "Both words"
    anns.get_by_label("Consent text, shown first").fill("Ann again")  # she has not seen what Bob has written since
    anns.get_by_role("button", name="Save consent and questions").click()
    expect(_conflict(anns)).to_contain_text("because bob")


def _conflict(dialog: Locator) -> Locator:
    return dialog.get_by_role("alert").filter(has_text="changed the same settings meanwhile")


def _entry(dialog: Locator) -> Locator:
    """Open the part about consent and questions; returns its button."""
    dialog.get_by_text("Consent and questions", exact=True).click()
    expect(dialog.get_by_label("Consent text, shown first")).to_be_enabled()
    return dialog.get_by_role("button", name="Save consent and questions")


def _is_saved(dialog: Locator) -> None:
    expect(dialog.get_by_role("status").filter(has_text="Saved.")).to_be_visible()


def test_taking_theirs_by_keyboard_keeps_what_only_this_person_has_changed(two: Two) -> None:
    study = make_study(two.server, "two merge")
    anns, bobs = two.open(study, "Manage")
    (anns_save, bobs_save) = (_entry(anns), _entry(bobs))
    anns.get_by_label("Consent text, shown first").fill("Ann’s words")
    anns_save.click()
    _is_saved(anns)
    bobs.get_by_label("Questions after the items, one per line").fill("Why?")
    bobs_save.click()
    expect(_conflict(bobs)).to_contain_text(re.compile(r"Their version: Ann’s words\s*Your version: empty"))
    _conflict(bobs).get_by_role("button", name="Keep their version").press("Enter")
    expect(bobs.get_by_label("Consent text, shown first")).to_have_value("Ann’s words")
    expect(bobs.get_by_label("Questions after the items, one per line")).to_have_value("Why?")
    expect(bobs_save).to_be_focused()
    two.bob.keyboard.press("Enter")
    _is_saved(bobs)
    entry = with_workplace(two.server, lambda w: w.repository.visits.entry(study.id))
    assert (entry.consent, [question.text for question in entry.after]) == ("Ann’s words", ["Why?"])


def test_own_questions_that_the_server_writes_with_other_spaces_are_nobody_elses_change(two: Two) -> None:
    study = make_study(two.server, "two spaces")
    anns, bobs = two.open(study, "Manage")
    bobs_save = _entry(bobs)
    bobs.get_by_label("Questions before the items, one per line").fill("  Are you ten? =  yes  /  no!\n\n")
    bobs_save.click()
    _is_saved(bobs)
    anns_save = _entry(anns)
    anns.get_by_label("Consent text, shown first").fill("Ann’s words")
    anns_save.click()
    _is_saved(anns)
    bobs.get_by_label("Questions after the items, one per line").fill("Why?")
    bobs_save.click()
    expect(_conflict(bobs)).to_contain_text("Consent")
    expect(_conflict(bobs)).not_to_contain_text("Questions before")


def test_saving_again_while_the_first_answer_is_on_its_way_is_no_change_of_two_people(two: Two) -> None:
    study = make_study(two.server, "two clicks")
    _, bobs = two.open(study, "Manage")
    save = _entry(bobs)
    bobs.get_by_label("Consent text, shown first").fill("one")
    save.evaluate(
        """button => {
            const consent = document.querySelector("#entry-consent");
            for (const words of ["two", "three", "four"]) {
                button.click();
                consent.value = words;
            }
            button.click();
        }"""
    )
    wait_until(lambda: _consent(two.server, study) == "four", "the last words")
    _is_saved(bobs)
    expect(_conflict(bobs)).to_have_count(0)


def _consent(server: Server, study: Study) -> Any:
    return with_workplace(server, lambda w: w.repository.visits.entry(study.id).consent)


def test_a_step_whose_answer_was_lost_is_done_when_it_is_pressed_again(two: Two) -> None:
    study = make_study(two.server, "two lost")
    _, bobs = two.open(study, "Manage")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    two.bob.route("**/state", lose)
    bobs.get_by_role("button", name="Pause the study").click()
    expect(bobs.get_by_role("alert").filter(has_text="The server does not answer.")).to_be_visible()
    two.bob.unroute("**/state")
    assert _course(two.server, study).state == "paused"
    bobs.get_by_role("button", name="Pause the study").click()
    expect(two.bob.get_by_role("dialog")).to_have_count(0)
    expect(card_of(two.bob, study.name).locator(".state")).to_have_text("paused")


def test_a_step_from_a_page_that_shows_an_old_state_is_not_taken_unasked(two: Two) -> None:
    study = make_study(two.server, "two step")
    anns, bobs = two.open(study, "Manage")
    anns.get_by_role("button", name="Close the study").click()
    expect(two.ann.get_by_role("dialog")).to_have_count(0)
    bobs.get_by_role("button", name="Pause the study").click()
    expect(_conflict(bobs)).to_contain_text(re.compile(r"Their version: closed\s*Your version: paused"))
    assert _course(two.server, study).state == "closed"
    _conflict(bobs).get_by_role("button", name="Keep their version").click()
    expect(two.bob.get_by_role("dialog")).to_have_count(0)
    expect(card_of(two.bob, study.name).locator(".state")).to_have_text("closed")


def test_two_admins_who_give_an_account_roles_are_told_of_each_other(two: Two) -> None:
    with_workplace(two.server, lambda w: w.repository.accounts.add("eve", "viewer"))
    for page in (two.ann, two.bob):
        page.goto(f"{two.server.url}/people")
    two.ann.get_by_role("combobox", name="Role of eve").select_option("researcher")
    two.ann.get_by_role("button", name="Change the role of eve").click()
    expect(two.ann.get_by_role("combobox", name="Role of eve")).to_have_value("researcher")
    two.bob.get_by_role("combobox", name="Role of eve").select_option("admin")
    two.bob.get_by_role("button", name="Change the role of eve").click()
    expect(two.bob.get_by_role("alert")).to_contain_text("because ann")
    expect(two.bob.get_by_text("eve is researcher now")).to_be_visible()
    assert with_workplace(two.server, lambda w: w.repository.accounts.named("eve").role) == "researcher"
    two.bob.get_by_role("button", name="Save my version").click()
    expect(two.bob.get_by_role("combobox", name="Role of eve")).to_have_value("admin")
    assert with_workplace(two.server, lambda w: w.repository.accounts.named("eve").role) == "admin"
