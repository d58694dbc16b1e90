"""The Studies pages in a browser: from a CSV to a link, a study that runs, its results, a rater's erasure, a phone."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import Server, make_study, with_workplace
from tests.making import answer_all

SURVEY = "file,text,human\n" + "".join(f"b{n}.jpg,A dog number {n}.,{n % 5 + 1}\n" for n in range(1, 9))
MENU = ":is(gradio-app nav, .plain-head) :is(a, button)"
TOPS = "(all) => all.map((one) => Math.round(one.getBoundingClientRect().top))"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_from_a_csv_to_a_link_in_at_most_twelve_clicks(page: Page, server: Server, tmp_path: Path) -> None:
    (tmp_path / "dogs.csv").write_text(SURVEY)
    page.goto(f"{server.url}/studies")
    page.get_by_role("link", name="Import data").click()
    page.get_by_label("Data: CSV").set_input_files(tmp_path / "dogs.csv")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Name", exact=True).fill("dogs")
    expect(page.locator("#preview")).to_contain_text("A dog number")
    page.get_by_role("button", name="Start now").click()
    page.get_by_role("button", name="Make link for raters").click()
    address = page.get_by_label("Link for Everyone. Copy").input_value()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert address.startswith(f"{server.url}/r/")
    page.goto(address)
    expect(page.locator("body")).to_contain_text("8 items")


def test_a_taken_name_is_refused_where_it_is_typed_and_a_preview_stores_no_study(page: Page, server: Server) -> None:
    make_study(server, "taken")
    page.goto(f"{server.url}/studies/new?dataset=squares")
    name = page.get_by_label("Name", exact=True)
    name.fill("taken")
    assert name.evaluate("(field) => field.validationMessage").startswith("A study with this name exists")
    page.get_by_label("Raters per item").fill("2")
    page.get_by_label("Captions", exact=True).fill("2")
    name.fill("not yet")
    expect(page.locator("#preview")).to_contain_text("2 captions × 3 metrics = 6 items", timeout=10_000)
    assert "not yet" not in page.request.get(f"{server.url}/studies").text()


def test_progress_and_results_follow_the_raters(page: Page, server: Server) -> None:
    study = make_study(server, "followed", metrics=("FLEUR",), size=2, raters_per_item=1)
    page.goto(f"{server.url}/studies/{study.id}")
    expect(page.locator("#progress")).to_contain_text("0 of 2 item ratings")
    with_workplace(server, lambda w: answer_all(w.repository, study, w.repository.raters.add("EVE")))
    expect(page.locator("#progress")).to_contain_text("2 of 2 item ratings")
    assert page.get_by_role("region", name="Raters").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    page.get_by_role("link", name="EVE").click()
    page.get_by_label("Type “EVE”").fill("EVE")
    page.get_by_role("button", name="Erase rater").click()
    expect(page.get_by_role("region", name="Ratings")).to_contain_text("FLEUR")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Close study").first.click()
    expect(page.get_by_role("link", name="Download report")).to_be_visible()


def test_the_pages_are_accessible_and_fit_a_phone(phone: Page, server: Server) -> None:
    study = make_study(server, "small", size=2)
    with_workplace(server, lambda w: answer_all(w.repository, study, w.repository.raters.add("ONE")))
    own = (f"/{study.id}", f"/{study.id}/raters/ONE", f"/{study.id}/gold")
    menus = []
    for path in ("/", "/studies", "/people"):
        phone.goto(f"{server.url}{path}")
        phone.get_by_role("button", name="Switch to").wait_for()
        menus.append(phone.locator(MENU).evaluate_all(TOPS)[:6])
    assert menus[0] == menus[1] == menus[2]
    for path in ("", "/new", "/import", "/published", *own):
        phone.goto(f"{server.url}/studies{path}")
        assert findings_in_both_colours(phone) == [], path
        assert phone.evaluate(OVERFLOW) <= 0, path
