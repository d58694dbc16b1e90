"""A study is shared by its owner: what another account sees with each right, and how an owner gives the study up."""

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import Server, come_back
from tests.browser.test_door import guarded, signed_in  # noqa: F401  the fixture

RUNS = ("Rate", "Links for raters", "Manage", "Problems and messages")
OWNS = ("Share", "Pay")


def _card(page: Page) -> Locator:
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name="shared by its owner", exact=True))


def _offers(card: Locator, offered: tuple[str, ...], hidden: tuple[str, ...]) -> None:
    for names, is_there in ((offered, True), (hidden, False)):
        for name in names:
            role = "link" if name == "Rate" else "button"
            expect(card.get_by_role(role, name=name, exact=True)).to_be_visible(visible=is_there)


def test_an_owner_shares_a_study_step_by_step_and_gives_it_up_only_after_a_question(
    page: Page,
    browser: Browser,
    guarded: Server,  # noqa: F811
) -> None:
    owner = signed_in(page, guarded, "researcher")
    other = browser.new_context().new_page()
    name = signed_in(other, guarded, "researcher")
    page.goto(f"{guarded.url}/studies")
    page.get_by_role("button", name="New study").click()
    wizard = page.get_by_role("dialog", name="New study")
    wizard.get_by_label("Name").fill("shared by its owner")
    for _ in range(2):
        wizard.get_by_role("button", name="Continue").click()
    wizard.get_by_role("button", name="Create study").click()
    expect(_card(page)).to_contain_text("You own this study. Only admins and accounts with a right see this study.")
    other.goto(f"{guarded.url}/studies")
    expect(other.get_by_role("button", name="New study")).to_be_visible()
    expect(_card(other)).to_have_count(0)

    _card(page).get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog", name="Share shared by its owner")
    for right, offered, hidden in (("see", (), RUNS + OWNS), ("run", RUNS, OWNS), ("own", RUNS + OWNS, ())):
        dialog.get_by_label("Account name").fill(name)
        dialog.locator("#share-right").select_option(right)
        dialog.get_by_role("button", name="Share", exact=True).click()
        expect(dialog).to_contain_text(f"Saved. {name} may {right} this study.")
        expect(dialog.locator("#share-right")).to_have_value("see")  # the next account gets no more by mistake
        other.reload()
        _offers(_card(other), ("Monitor", "Report", *offered), hidden)
    assert findings(page) == []

    dialog.get_by_label(f"Right of {owner}").select_option("run")
    question = page.get_by_role("dialog", name="Stop owning shared by its owner?")
    expect(question).to_contain_text("You may then only run it.")
    question.get_by_role("button", name="Keep my right").click()
    expect(dialog.get_by_label(f"Right of {owner}")).to_have_value("own")
    dialog.get_by_role("button", name=f"Remove {owner}").click()
    question.get_by_role("button", name="Stop owning the study").click()
    expect(dialog).to_have_count(0)
    expect(_card(page)).to_have_count(0)
    come_back(other)
    _card(other).get_by_role("button", name="Share", exact=True).click()
    dialog = other.get_by_role("dialog", name="Share shared by its owner")
    dialog.get_by_role("button", name=f"Remove {name}").click()
    other.get_by_role("button", name="Stop owning the study").click()
    expect(dialog).to_contain_text(f"{name} is the only owner of this study. Make another account its owner first.")
    other.context.close()
