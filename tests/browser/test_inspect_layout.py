"""Places of the Inspect page's parts: nothing is cut off, covered, or moved while somebody points."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.test_inspect import open_sample
from tests.browser.test_inspect_at_a_glance import demo as demo

RED_BUS = "A red bus waits behind a horse."


def box(part: Locator) -> dict[str, float]:
    """The place of a part in the window."""
    found: Any = part.bounding_box()
    assert found
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def middle(part: Locator) -> float:
    return box(part)["y"] + box(part)["height"] / 2


@pytest.mark.parametrize("width", [1366, 390, 320])
def test_the_menu_is_in_the_window_below_the_sentence_with_groups_in_one_row(
    page: Page, demo: Server, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_sample(page, demo, RED_BUS)
    page.locator(".menu summary").click()
    panel = page.locator(".menu-panel")
    assert box(panel)["x"] >= 0 and box(panel)["right"] <= width
    assert box(panel)["y"] >= box(page.locator(".live-sentence"))["bottom"]
    expect(panel.locator("legend")).to_have_text(["Regions shown", "How to read support values"])
    for legend in panel.locator("legend").all():
        assert box(legend)["width"] > 50
    options = panel.locator(".segments").first.locator("label").all()
    tops = [box(option)["y"] for option in options]
    assert tops == pytest.approx([tops[0]] * len(tops), abs=1)  # CSS pixels: browsers place boxes at fractions of one
    expect(panel.locator("output", has_text="100 %").first).to_be_visible()


def test_an_edited_caption_survives_a_reload_and_is_in_the_link(page: Page, demo: Server) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_sample(page, demo, RED_BUS)
    field, edited = page.get_by_label("Caption to score"), "A <b>blue</b> bus & “men”."
    field.fill(edited)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied", exact=True)).to_be_visible()
    page.goto("about:blank")
    page.goto(demo.url)
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto(link)
    expect(field).to_have_value(edited)
    expect(page.locator(".change-score")).to_contain_text("HICE-S")
    expect(page.locator(".sample-view b", has_text="blue")).to_have_count(0)
    page.reload()
    expect(field).to_have_value(edited)
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("caption="))
    field.fill("A bus. " * 800)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied without the edited caption")).to_be_visible()


def test_after_an_edit_nothing_says_that_bars_are_marked_and_old_scores_are_legible(page: Page, demo: Server) -> None:
    open_sample(page, demo, RED_BUS)
    line = page.locator(".human-line")
    expect(line.locator(".of-bars")).to_be_visible()
    page.get_by_label("Caption to score").fill("A blue bus.")
    expect(line.locator(".of-bars, .human-tick").first).to_be_hidden()
    expect(line).to_contain_text("This is the rating of the sample’s own caption.")
    expect(page.locator(".score-card.stale").first).to_have_css("opacity", "1")


def test_signs_in_the_caption_are_over_their_own_words_and_below_the_cue(page: Page, demo: Server) -> None:
    open_sample(page, demo, RED_BUS)
    first = page.locator(".caption-field .piece.incorrect").first
    expect(first).to_have_text(re.compile("red"))
    places = first.evaluate("""(piece) => {
        const sign = getComputedStyle(piece, "::after"), word = piece.getBoundingClientRect();
        return {margin: parseFloat(sign.marginLeft), size: parseFloat(sign.fontSize), top: word.top};
    }""")
    assert -places["margin"] >= places["size"] * 0.8  # the sign ends where its word ends
    assert places["top"] >= box(page.locator(".caption-cue"))["bottom"]


@pytest.mark.parametrize("width", [1366, 390])
def test_legend_and_words_about_a_region_are_outside_the_picture_and_of_each_other(
    page: Page, demo: Server, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_sample(page, demo, "People stand below a tall tower.")
    page.locator(".phrase", has_text="people stand below tower").focus()
    told, legend, strip = (
        page.locator(".sample-seen .readout"),
        page.locator(".sample-seen .legend"),
        page.locator(".filmstrip"),
    )
    expect(told).to_contain_text("Annotators looked for")
    for part in (legend, told):
        assert box(part)["y"] >= box(page.locator(".region-stage"))["bottom"]
        assert box(part)["x"] >= 0 and box(part)["right"] <= width
        assert box(part)["width"] > 100
    apart = box(told)["x"] >= box(legend)["right"] or box(told)["y"] >= box(legend)["bottom"]
    assert apart and box(told)["bottom"] <= 844
    if width > 860:
        assert box(told)["bottom"] <= box(strip)["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == width


MOVED = ".filmstrip button[aria-label], .region-stage, .legend, .caption-field, .trials, .inspect-tools"


def places(page: Page) -> list[list[float]]:
    """Places of the parts that somebody may point at, without the small pictures, which scroll."""
    parts = page.locator(MOVED).filter(visible=True).and_(page.locator(":not(.frame)"))
    found: list[list[float]] = parts.evaluate_all("""parts => parts.map((part) => {
        const {x, y, width} = part.getBoundingClientRect();
        return part.matches(".legend") ? [x, y] : [x, y, width];
    })""")
    return found


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080), (390, 844)])
def test_nothing_under_the_pointer_moves_when_the_sample_or_the_caption_changes(
    page: Page, demo: Server, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_sample(page, demo, "Pedestrians walk past a blue city bus on a paved street.")
    first = places(page)
    assert len(first) >= 7
    page.locator(".trials button").first.click()
    expect(page.locator(".live-sentence")).to_contain_text("Makes up")
    assert places(page) == first
    following = page.get_by_role("button", name="Next sample")
    spot = box(following)
    for number in range(2, 8):  # landscapes and portraits
        page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
        expect(page.locator(".frame[aria-current=true] .frame-number")).to_have_text(str(number))
        expect(page.locator("path.region.mentioned").first).to_be_attached()
        assert places(page) == first
    if width > 860:
        landscape = box(page.locator(".region-stage"))["width"] / box(page.locator(".sample-view"))["width"]
        assert landscape > 0.58


def test_a_zoomed_picture_keeps_the_place_under_the_pointer(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, "An orange dahlia with a red centre")  # has room at both sides
    place = """svg => {
        const {x, y, width, height} = svg.getBoundingClientRect();
        return [(450 - x) / width, (400 - y) / height];
    }"""
    picture = page.locator(".region-layer svg").first
    page.mouse.move(450, 400)
    before = picture.evaluate(place)
    page.keyboard.down("Control")
    for _ in range(3):
        page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(page.locator(".region-stage.zoomed")).to_have_count(1)
    assert picture.evaluate(place) == pytest.approx(before, abs=0.01)


def test_marks_keep_their_colours_in_forced_colours(page: Page, demo: Server) -> None:
    page.emulate_media(forced_colors="active")
    open_sample(page, demo, "People stand below a tall tower.")
    found = page.locator(".caption-field .piece.correct").first.evaluate("""(piece) => {
        const look = (node) => getComputedStyle(node), outline = document.querySelector(".rim[stroke='#0072b2']");
        return [look(piece).textDecorationColor, look(outline).stroke, look(piece).color,
            look(document.querySelector(".phrase.correct")).borderTopColor,
            look(document.querySelector("nav a.active")).textDecorationLine];
    }""")
    line, outline, text, chip, active = found
    assert line == outline == chip == "rgb(0, 114, 178)" and active == "underline"
    assert text == "rgba(0, 0, 0, 0)"  # the field draws the words


def test_escape_leaves_no_box_around_a_region_that_was_clicked(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, "Pedestrians walk past a blue city bus on a paved street.")
    region = page.locator("path.region[aria-label^='man in a black coat']")
    region.click(position={"x": 30, "y": 60})
    expect(region).to_have_css("outline-style", "none")
    page.keyboard.press("Escape")
    expect(region).not_to_be_focused()
    expect(page.locator(".has-lit")).to_have_count(0)


def test_suggestions_stay_in_place_when_somebody_types_and_unknown_phrases_stay_in_their_line(
    page: Page, demo: Server
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, "Pedestrians walk past a blue city bus on a paved street.")
    before = box(page.locator(".trials button").first)
    page.get_by_label("Caption to score").fill("Two horses walk past a red city bus on a snowy street.")
    expect(page.locator(".phrase-line.wrong .phrase").first).to_be_visible()
    assert box(page.locator(".trials button").first) == before
    expect(page.locator(".trials button").first).to_be_disabled()
    head, summary = page.locator(".wrong .line-head"), page.locator(".phrase-untold summary")
    assert box(summary)["x"] >= box(head)["right"]
    assert box(page.get_by_role("button", name="Undo"))["right"] <= box(page.locator(".caption-field"))["right"]


def test_a_metrics_name_and_its_score_stay_on_one_line(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, RED_BUS)
    scores = page.locator(".word-scores summary .unbroken")
    expect(scores.nth(2)).to_have_text(re.compile(r"^ROUGE-L 0\.\d{3}$"))
    assert scores.evaluate_all("all => all.every((one) => one.getClientRects().length === 1)")


def test_the_picture_begins_below_the_logo(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_sample(page, demo, RED_BUS)
    assert box(page.locator(".region-stage"))["x"] == box(page.locator(".capscope-name"))["x"]


def test_swatches_of_legend_menu_and_list_look_alike(page: Page, demo: Server) -> None:
    open_sample(page, demo, RED_BUS)
    look = """swatches => swatches.map((one) => {
        const look = getComputedStyle(one);
        return [look.borderTopStyle, look.borderTopWidth, look.borderTopColor, look.backgroundImage].join();
    })"""
    for kind in ("mentioned", "unmentioned"):
        where = f".sample-seen .legend .{kind} .swatch, .menu-panel .{kind} .swatch, .region-row.{kind} .swatch"
        found = page.locator(where).evaluate_all(look)
        assert len(found) >= 3 and len(set(found)) == 1


def test_on_a_phone_a_tapped_phrase_shows_the_picture_with_its_region(phone: Page, demo: Server) -> None:
    page = phone
    page.set_viewport_size({"width": 390, "height": 700})
    open_sample(page, demo, RED_BUS)
    phrase = page.locator(".phrase", has_text="red bus")
    phrase.evaluate("(chip) => chip.scrollIntoView({block: 'start'})")
    phrase.tap()
    expect(page.locator(".region-stage")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".sample-seen .readout")).to_be_in_viewport(ratio=0.9)


def test_nothing_moves_when_somebody_points_at_a_sentence(page: Page, demo: Server) -> None:
    open_sample(page, demo, RED_BUS)
    sentences = page.locator(".said-sentence")
    expect(sentences).not_to_have_count(0)
    expect(page.locator(".contradiction")).to_have_text("✗ the regions contradict this")
    below = page.locator(".scores > .folded").last
    before = box(below)["y"]
    sentences.first.hover()
    expect(page.locator(".said-where")).to_contain_text("bus")
    assert box(below)["y"] == before


def test_unknown_phrases_open_in_their_row_and_chips_do_not_start_below_headings(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, "People stand below a tall tower.")
    summary, wrong = page.locator(".phrase-untold summary"), page.locator(".phrase-line.wrong .phrase")
    assert abs(middle(summary) - middle(wrong)) < 3
    before = box(summary)
    summary.click()
    assert box(summary) == before
    assert box(page.locator(".phrase-untold .phrase"))["x"] >= before["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_label("Caption to score").fill("A red bus, a horse and a purple dog stand below a tower near a church.")
    chips = page.locator(".phrase-line.wrong .phrase")
    expect(chips.nth(1)).to_be_visible()
    assert {round(box(one)["x"]) for one in chips.all() if box(one)["y"] > box(chips.first)["bottom"]} <= {
        round(box(chips.first)["x"])
    }


def test_search_fields_are_as_high_as_menus_and_the_dialog_as_wide_as_its_form(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, RED_BUS)
    page.get_by_role("button", name="Find samples").click()
    expect(page.locator(".finder #text")).to_be_visible()
    assert box(page.locator(".finder #text"))["height"] == box(page.locator(".finder #dataset"))["height"]
    page.get_by_role("button", name="Add picture …").click()
    dialog, form = box(page.locator("dialog.box")), box(page.locator(".own-form"))
    assert abs((dialog["right"] - form["right"]) - (form["x"] - dialog["x"])) < 20


def test_the_glossary_opens_at_the_metric_with_its_scale_and_the_way_back_keeps_an_edit(
    page: Page, demo: Server
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_sample(page, demo, RED_BUS)
    page.get_by_label("Caption to score").fill("A blue bus.")
    expect(page).to_have_url(re.compile("caption=A\\+blue\\+bus"))
    page.get_by_role("link", name="Glossary").click()
    entry = page.locator("#hice-s")
    expect(entry).to_contain_text("The scale ends at 1.25 if labels are compared")
    expect(entry).to_be_in_viewport(ratio=1)
    assert box(entry)["y"] > 100  # among its neighbours
    page.go_back()
    expect(page.get_by_label("Caption to score")).to_have_value("A blue bus.")


def test_small_pictures_have_numbers_because_samples_share_pictures(page: Page, demo: Server) -> None:
    open_sample(page, demo, RED_BUS)
    numbers = page.locator(".frame-number")
    expect(numbers.first).to_have_text("1")
    expect(numbers.nth(1)).to_have_text("2")


@pytest.mark.parametrize("width", [1920, 1366, 390, 320])
def test_each_row_of_the_list_of_regions_is_below_the_last_and_its_texts_are_apart(
    page: Page, demo: Server, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_sample(page, demo, "Pedestrians walk past a blue city bus on a paved street.")
    page.get_by_text("Regions and numbers").click()
    rows = page.locator(".region-row")
    expect(rows).to_have_count(11)
    for row in rows.all():
        name, reason = box(row.locator(".name")), box(row.locator(".quiet"))
        assert name["bottom"] <= reason["y"] + 1 and box(row)["right"] <= width
        assert name["width"] > 30 and reason["bottom"] <= box(row)["bottom"]
    fits = "list => list.scrollWidth <= list.clientWidth && list.scrollHeight <= list.clientHeight"
    assert page.locator(".region-list").evaluate(fits)  # the page scrolls, not the list
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_outline_of_a_mentioned_thing_lies_over_its_details_and_the_thing_is_within_reach(
    page: Page, demo: Server
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    regions = open_sample(page, demo, "People stand below a tall tower.")
    widths = regions.locator(".rim").evaluate_all("""rims => rims.map((rim) => [
        rim.getAttribute("stroke"), parseFloat(getComputedStyle(rim).strokeWidth)])""")
    (last, tower), thinnest = widths[-1], min(width for _, width in widths)
    assert [colour for colour, _ in widths].count(last) == 1 and tower == 6  # the only mentioned region
    assert thinnest < tower / 3  # branches
    assert regions.locator(".rim").last.evaluate(REACHED) > 0.8


REACHED = """rim => {
  const box = rim.ownerSVGElement.getScreenCTM(), length = rim.getTotalLength();
  const point = (_, at) => rim.getPointAtLength(length * (at + 0.5) / 40).matrixTransform(box);
  const points = Array.from({length: 40}, point);
  const reached = points.filter(({x, y}) => [[-1.5, 0], [1.5, 0], [0, -1.5], [0, 1.5]].some(([right, down]) =>
    document.elementFromPoint(x + right, y + down)?.dataset.region === rim.dataset.region));
  return reached.length / points.length;
}"""  # the share of an outline at which the pointer is on its region
