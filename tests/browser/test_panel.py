"""People whom a panel sends, from the manager's form to the completion code."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from playwright.sync_api import Page, expect
from sqlalchemy import update

from storage.tables import ParticipationRow
from tests.browser.axe import findings
from tests.browser.conftest import Server, make_study, rate_by_keys, ratings, saved, with_workplace
from tests.browser.profiles import Profiles

Sent = Callable[[str], str]  # whom -> the address at which the panel opens the study


@contextmanager
def someone(profiles: Profiles, address: str) -> Iterator[Page]:
    """A browser of somebody else, in which a page is open."""
    with profiles.page() as page:
        page.goto(address)
        yield page


def prepared(page: Page, server: Server, name: str) -> Sent:
    """Ask for consent and answers, and make a link for Prolific, as the study's manager does."""
    page.goto(f"{server.url}/studies")
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=name, exact=True))
    card.get_by_role("button", name="Manage", exact=True).click()
    page.get_by_text("Consent and questions", exact=True).click()
    page.get_by_label("Consent text, shown first").fill("You judge texts.\n\nNothing can happen to you.")
    page.get_by_label("Questions before").fill("Are you a native speaker? = yes / no!\nHow old are you? = 18..99")
    page.get_by_label("Questions after").fill("Was anything unclear? (optional)")
    page.get_by_role("button", name="Save consent and questions").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    card.get_by_role("button", name="Links for raters").click()
    page.get_by_text("A link for Prolific").click()
    expect(page.get_by_label("Address parameter that identifies the rater")).to_have_value("PROLIFIC_PID")
    for kind, code in (("done", "C1DONE"), ("screened_out", "C2OUT"), ("full", "C3FULL")):
        page.locator(f"#panel-code-{kind}").fill(code)
    page.get_by_role("button", name="Create the platform’s link").click()
    address = page.locator(".fresh-links code").inner_text()
    expect(page.get_by_role("row", name=re.compile("Prolific"))).to_be_visible()
    assert findings(page) == []
    assert address.endswith("?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")
    return lambda person: (
        address.replace("{{%PROLIFIC_PID%}}", person).replace("{{%STUDY_ID%}}", "s").replace("{{%SESSION_ID%}}", "1")
    )


def answer_before(page: Page, native: str = "yes") -> None:
    expect(page.get_by_text("Nothing can happen to you.")).to_be_visible()
    page.get_by_role("button", name="I agree and take part").click()
    page.get_by_label(native, exact=True).check()
    page.get_by_label("How old are you?").fill("30")
    page.get_by_role("button", name="Continue").click()


def start(page: Page) -> None:
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()


def code_and_way(page: Page) -> tuple[str, str | None]:
    back = page.locator(".way-back")
    return back.locator(".return-key").inner_text(), back.get_by_role("link").get_attribute("href")


def test_people_from_prolific_come_come_twice_leave_run_out_of_time_and_finish(
    page: Page, profiles: Profiles, server: Server
) -> None:
    study = make_study(server, "sent by Prolific", size=3, raters_per_item=1)
    with_workplace(server, lambda w: w.repository.life.settle(study.id, items_per_rater=3))
    sent = prepared(page, server, study.name)
    back = "https://app.prolific.com/submissions/complete?cc="
    with someone(profiles, sent("aaa")) as first:
        answer_before(first)
        expect(first.get_by_text(re.compile("You rate as P-"))).to_be_visible()
        assert "aaa" not in first.url and "PROLIFIC" not in first.url
        start(first)
        expect(first.get_by_role("status").filter(has_text="item 1 of 3")).to_be_visible()
        rate_by_keys(first, "444\n")
        expect(first.get_by_role("status").filter(has_text="item 2 of 3")).to_contain_text("Saved")
        with someone(profiles, sent("aaa")) as again:  # comes twice, and goes on where they were
            start(again)
            expect(again.get_by_role("status").filter(has_text="item 2 of 3")).to_be_visible()
        with someone(profiles, sent("bbb")) as second:
            expect(second.get_by_role("heading", name="This study is full")).to_be_visible()
            assert code_and_way(second) == ("C3FULL", f"{back}C3FULL")
            assert findings(second) == []
        first.get_by_role("button", name=re.compile("^P-")).click()
        first.get_by_role("button", name="Leave this study …").click()
        first.get_by_role("button", name="Leave the study").click()
        expect(first.get_by_role("heading", name="You have left this study")).to_be_visible()
        expect(first.get_by_text("Return the study at Prolific as well")).to_be_visible()
        with someone(profiles, sent("aaa")) as again:  # leaving is final
            expect(again.get_by_role("heading", name="You have left this study")).to_be_visible()
    with someone(profiles, sent("ccc")) as other:
        answer_before(other, "no")
        expect(other.get_by_role("heading", name="Thank you, this study is for others")).to_be_visible()
        assert code_and_way(other) == ("C2OUT", f"{back}C2OUT")
        other.reload()  # there is no second try
        expect(other.get_by_role("heading", name="Thank you, this study is for others")).to_be_visible()
    with someone(profiles, sent("ddd")) as slow:
        answer_before(slow)
        start(slow)
        expect(slow.get_by_role("status").filter(has_text="item 1 of 2")).to_be_visible()
        with_workplace(server, a_day_passes)
        with someone(profiles, sent("bbb")) as second:
            answer_before(second)
            assert findings(second) == []
            start(second)
            rate_by_keys(second, "333\n222\n")
            expect(second.get_by_role("heading", name="One last thing")).to_be_visible()
            second.get_by_role("button", name="Finish").click()
            expect(second.get_by_role("heading", name="Thank you, you are done")).to_be_visible()
            assert code_and_way(second) == ("C1DONE", f"{back}C1DONE")
            saved(second)
            assert findings(second) == []
            second.get_by_role("button", name="Look over your answers").click()
            second.get_by_role("button", name=re.compile("^P-")).click()
            expect(second.get_by_role("heading", name=re.compile("You rate as P-"))).to_be_visible()
            expect(second.get_by_role("button", name="Leave this study …")).to_have_count(0)  # the code would be lost
            expect(second.get_by_role("button", name="Sign out …")).to_have_count(0)
        rate_by_keys(slow, "111\n")  # comes late: kept, and not counted
        saved(slow)
    counted = [(r.rating, r.left_out) for r in ratings(server, study)]
    assert sorted(counted) == [(1, "item released")] * 3 + [(n, "") for n in (2, 3, 4) for _ in range(3)]
    with someone(profiles, sent("").replace("PROLIFIC_PID=", "")) as nobody:
        expect(nobody.get_by_role("heading", name="Open this study from Prolific")).to_be_visible()


def a_day_passes(workplace) -> None:
    with workplace.repository.database.write() as connection:
        connection.execute(update(ParticipationRow).values(seen_at=datetime(2020, 1, 1)))


def test_a_rater_at_work_reads_why_a_closed_study_ends_and_gets_the_code_of_a_full_one(
    page: Page, profiles: Profiles, server: Server
) -> None:
    study = make_study(server, "closed early", size=3, raters_per_item=2, veil=False)
    with_workplace(server, lambda w: w.repository.life.settle(study.id, items_per_rater=3, contact="lab@example.org"))
    sent = prepared(page, server, study.name)
    with someone(profiles, sent("aaa")) as first:
        answer_before(first)
        start(first)
        rate_by_keys(first, "444\n")
        expect(first.get_by_role("status").filter(has_text="item 2 of 3")).to_contain_text("Saved")
        card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=study.name, exact=True))
        page.reload()
        card.get_by_role("button", name="Manage", exact=True).click()
        page.get_by_role("button", name="Close the study").click()
        expect(page.get_by_text("1 rater has unfinished items.")).to_be_visible()
        page.get_by_role("button", name="Close now").click()
        expect(card.locator(".state")).to_have_text("closed")
        expect(first.get_by_role("heading", name="This study is closed")).to_be_visible(timeout=15_000)
        expect(first.get_by_text("The study was closed before you had rated all of your items.")).to_be_visible()
        expect(first.get_by_text("You are paid £9.00 for an hour of work.")).to_be_visible()
        expect(first.get_by_text("lab@example.org")).to_be_visible()
        expect(first.locator(".return-key")).to_have_text("C3FULL")
        assert findings(first) == []
    with someone(profiles, sent("bbb")) as late:
        expect(late.get_by_role("heading", name="This study is closed")).to_be_visible()
        expect(late.locator(".return-key")).to_have_text("C3FULL")
