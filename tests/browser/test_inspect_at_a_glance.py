"""What the Inspect page says at first sight: a sentence, marks in the caption, few requests, one screen."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.captions.language import NOTICE
from core.types import Score
from tests.browser.conftest import SLOW_MS, Server, framed, with_workplace
from tests.browser.resting_pointer import RestingPointer
from tests.browser.test_inspect import CAPTION, open_sample, sample_of
from tests.browser.test_inspect import scenes as scenes
from tests.making import import_rows, rows
from tests.transfers import Transfers
from ui.services.demo import ensure_demo
from ui.services.workplace import Workplace

MOST_REQUESTS, MOST_BYTES = 15, 100 * 1024  # of a first visit, without Gradio's files and the picture itself
MOST_WITH_PICTURE = 200 * 1024  # with the page and its picture
ESSENTIAL = (
    *(".live-sentence", ".region-stage", ".legend", ".filmstrip", ".caption-field", ".trials", ".phrase-lines"),
    *(".human-line", "[data-metric='HICE-S']", ".explanation"),
)  # the parts of the page that somebody sees without scrolling
OF_GRADIO = ("/assets/", "/static/", "/theme.css", "/gradio_api/")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Server:  # type: ignore[misc]
    running = Server(tmp_path_factory.mktemp("demo") / "data")
    running.data_dir.mkdir()
    with_workplace(running, ensure_demo)
    running.start()
    yield running  # type: ignore[misc]
    running.stop()


def test_the_sentence_under_the_headline_follows_the_caption(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    sentence, box = page.locator(".live-sentence"), page.get_by_label("Caption to score")
    expect(sentence).to_have_text("Names 3 things, 2 in the picture, 1 unknown. Omits the umbrella.")
    box.fill("A dog and a grass and an umbrella.")
    expect(sentence).to_have_text("Names 3 things, all in the picture. Omits nothing that is annotated.")
    box.fill("An umbrella.")
    expect(sentence).to_have_text("Names 1 thing, which is in the picture. Omits the dog and the grass.")


def test_an_empty_caption_keeps_no_marks(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    box = page.get_by_label("Caption to score")
    expect(page.locator("path.region.mentioned")).to_have_count(2)
    box.fill("")
    expect(page.locator(".live-sentence")).to_contain_text("Write a caption")
    expect(page.locator(".phrase, .piece, path.region.mentioned")).to_have_count(0)
    expect(page.locator(".legend")).to_have_text("annotated, not compared")
    box.fill("A brown dog.")
    expect(page.locator("path.region.mentioned")).to_have_count(1)


def test_nothing_is_said_of_a_caption_that_is_not_english(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    expect(page.locator("path.region.mentioned")).to_have_count(2)
    page.get_by_label("Caption to score").fill("Ein Hund liegt auf einem Sofa neben einem Ball.")
    expect(page.locator(".live-sentence")).to_have_text(NOTICE)
    expect(page.locator(".legend")).to_have_text("annotated, not compared")
    expect(page.locator(".phrase, .piece, path.region.mentioned, path.region.unmentioned")).to_have_count(0)
    for unseen in (".phrase-lines", ".region-counts", ".phrase-counts", ".reading-note"):
        expect(page.locator(unseen).filter(visible=True).filter(has_text=re.compile("."))).to_have_count(0)
    expect(page.locator(".region-row.waiting")).to_have_count(page.locator(".region-row").count())
    card = page.locator(".score-card[data-metric='HICE-S']").first
    expect(card).to_contain_text("no score: The caption does not look English, and HICE-S reads English only.")
    expect(card).to_contain_text("for the edited caption")
    expect(card.locator(".score-value, .part-bar, .gauge-bar")).to_have_count(0)
    expect(page.locator(".change")).to_be_hidden()
    page.get_by_label("Caption to score").fill("A dog and a grass and an umbrella.")
    expect(page.locator(".live-sentence")).to_contain_text("Names 3 things, all in the picture.")


def test_marks_of_words_that_stay_keep_their_places_while_somebody_types(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    page.route("**/api/judge", lambda route: None)  # no answer comes
    box, found = page.get_by_label("Caption to score"), page.locator(".caption-field .piece.correct")
    expect(found).to_have_text(["dog", "grass"])
    box.fill(f"Look, {CAPTION}")
    expect(found).to_have_text(["dog", "grass"])
    box.fill("Look, A brown cat runs on the grass with a red ball.")
    expect(found).to_have_text(["grass"])
    words, marks = (
        page.locator(selector).evaluate("(node) => [node.clientWidth, node.scrollHeight]")
        for selector in (".caption-field textarea", ".caption-field .marked-caption")
    )
    assert words == marks  # lines break at the same places


def test_words_shared_with_references_light_in_the_caption_and_in_each_reference(
    page: Page, scenes: Server, tmp_path: Path
) -> None:
    texts = [
        ("🐕 A dog runs on <b>grass</b>.", ["<b>A dog</b> runs fast", "Two cats: a dog runs!"]),
        ("A cat.", ["A cat sits."]),
    ]
    told = [{"image": f"{n}.jpg", "caption": caption, "references": said} for n, (caption, said) in enumerate(texts)]
    with_workplace(scenes, lambda w: import_rows(w, tmp_path, told, "told"))
    number = sample_of(scenes, "dog runs on", "told")
    with_workplace(scenes, lambda w: w.repository.scores.save(number, Score("ROUGE-L", 0.5, "ROUGE-L|beta:1.2")))
    page.goto(f"{scenes.url}/inspect?sample={number}")
    framed(page)
    card = page.locator("[data-metric='BLEU-4']")
    card.get_by_role("button", name="Score now").click()
    lit, chip = card.locator("mark.lit"), card.get_by_role("button", name="a dog runs", exact=True)
    card.get_by_text("2 references, ").click()
    expect(card.locator(".match-references li")).to_have_text(["1 <b>A dog</b> runs fast", "2 Two cats: a dog runs!"])
    expect(lit).to_have_count(0)
    pointer = RestingPointer(page, card.locator(".match-caption"))
    chip.focus()
    expect(chip).to_have_class(re.compile("lit"))
    pointer.part_comes(card.locator(".match-references"))
    pointer.part_leaves(card.locator(".match-references"), ".matches")
    expect(chip).to_have_class(re.compile("lit"))
    expect(card.locator(".match-caption mark.lit").first).to_be_visible()
    said = " ".join(lit.all_inner_texts()).lower()
    assert said.count("dog") == said.count("runs") == 2 and "fast" not in said
    ordered = page.locator("[data-metric='ROUGE-L']")
    ordered.get_by_role("button", name="Show matches").click()  # its stored score was made without them
    expect(ordered.locator(".match-caption mark")).to_have_text(["<b>", "</b>"])  # six tokens, more than "a dog runs"
    page.get_by_label("Caption to score").fill("Cats sit.")
    expect(card.locator(".match-caption mark")).to_have_text(["Cats"])
    page.get_by_label("Caption to score").fill("Birds sing.")
    expect(card.get_by_text("The caption and the references have nothing in common.")).to_be_visible()


def test_what_a_caption_denies_is_struck(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    page.get_by_label("Caption to score").fill("There is no umbrella near the dog.")
    expect(page.locator(".piece.denied").first).to_have_css("text-decoration-line", "line-through")
    expect(page.locator(".piece:not(.denied)")).to_have_text(["near the", "dog"])  # the dog is there
    expect(page.locator(".phrase.denied")).to_have_count(1)


def test_visitors_see_neither_signatures_nor_needs_until_they_ask(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    for text in ("needs something first", "metrics need something first"):
        expect(page.get_by_text(text)).to_be_hidden()
    expect(page.locator(".signature").first).to_be_hidden()
    page.locator(".setup summary").click()
    expect(page.locator(".signature").first).to_be_visible()
    expect(page.get_by_text("metrics need something first")).to_be_visible()


def test_the_filmstrip_leads_through_the_list_by_pointer_and_keys(page: Page, scenes: Server) -> None:
    page.goto(f"{scenes.url}/inspect?dataset=scene")
    framed(page)
    strip = page.get_by_role("group", name="Samples of the list")
    frames = strip.get_by_role("button")
    expect(frames).to_have_count(3)
    expect(frames.first).to_have_attribute("aria-current", "true")
    expect(frames.first.locator("img")).to_have_attribute("src", re.compile("/small$"))  # after the picture itself
    frames.nth(1).click()
    expect(page.get_by_label("Caption to score")).to_have_value("A man sleeps in a bed.")
    expect(frames.nth(1)).to_have_attribute("aria-current", "true")
    page.keyboard.press("k")
    expect(page.get_by_label("Caption to score")).to_have_value(CAPTION)
    expect(page.get_by_role("button", name="Previous sample")).to_be_disabled()


def test_parts_of_a_score_have_names_in_words(page: Page, scenes: Server) -> None:
    def store(workplace: Workplace) -> int:
        made = rows(1, ("HICE-S",))
        made[0]["scores"][0] |= {"scale": [0, 1.25], "components": {"phrase_fallback": 1.0, "precision": 1.25}}
        import_rows(workplace, Path(scenes.data_dir.parent / "fallback"), made, "fallback")
        return sample_of(scenes, made[0]["caption"], "fallback")

    page.goto(f"{scenes.url}/inspect?sample={with_workplace(scenes, store)}")
    card = page.locator(".score-card[data-metric='HICE-S']").first
    expect(card).to_contain_text("no phrase about a thing was found, so nouns or the whole caption were compared")
    expect(card).to_contain_text("The caption has no attributes and no relations.")
    expect(card).not_to_contain_text("phrase_fallback")
    expect(card).not_to_contain_text("1 if")
    expect(card.locator(".part-bar")).to_have_text("phrase fit 1.250of 1.25")  # a full bar


def test_what_has_a_tick_in_the_caption_stands_under_confirmed(page: Page, demo: Server) -> None:
    regions = open_sample(page, demo, "A flag hangs from the Eiffel Tower.")
    expect(page.locator(".phrase-line.wrong .phrase")).to_have_text(["✗ flag hangs from Eiffel Tower "])
    expect(page.locator(".phrase-line.confirmed .phrase")).to_have_text(["✓ Eiffel Tower"])
    page.get_by_role("button", name="Eiffel Tower: supported by the annotations").click()
    expect(regions.locator(".lit.region")).to_have_count(1)
    expect(regions.locator(".phrase[aria-pressed=true]")).to_have_count(1)


NARROWED = """piece => {
  for (let width = 380; piece.getClientRects().length < 2 && width > 80; width -= 4) {
    piece.parentElement.style.width = `${width}px`;
  }
  return [...piece.getClientRects()].map(({ right, bottom }) => ({ right, bottom }));
}"""


def test_the_sign_of_a_thing_over_two_lines_follows_its_last_word(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_sample(page, demo, "A flag hangs from the Eiffel Tower.")
    tower = page.locator(".piece", has_text="Eiffel Tower")
    first, last = tower.evaluate(NARROWED)  # the caption becomes narrower until the name breaks
    assert first["bottom"] < last["bottom"] and first["right"] > last["right"]
    below = tower.evaluate("piece => parseFloat(getComputedStyle(piece, '::after').top)")  # from the first line's top
    assert below > 0.5 * (last["bottom"] - first["bottom"])


def test_the_wrong_word_about_a_thing_is_marked_and_the_thing_is_not(page: Page, demo: Server) -> None:
    open_sample(page, demo, "A red bus waits")
    expect(page.locator(".live-sentence")).to_contain_text("Wrong: red bus")
    expect(page.locator(".piece.incorrect", has_text="red")).to_have_text("red ")
    expect(page.locator(".piece.correct", has_text="bus")).to_have_count(1)


def test_an_explanation_of_another_caption_is_grey_and_says_so(page: Page, demo: Server) -> None:
    open_sample(page, demo, "The Eiffel Tower with golden lights")
    page.get_by_role("button", name="“blue” → “red”").click()
    card = page.locator(".score-card[data-metric='Demo paragraph']")
    expect(card).to_contain_text("score and explanation of the sample’s own caption")
    greys = (card.locator(".explanation"), card.locator("header .quiet").last)
    assert len({shown.evaluate("shown => getComputedStyle(shown).color") for shown in greys}) == 1
    # A margin lets one read "blue red", not "bluered". The style sheet of this box comes later.
    expect(page.locator(".difference ins")).not_to_have_css("margin-left", "0px")


def test_parts_of_a_mentioned_region_are_not_left_out(page: Page, demo: Server) -> None:
    open_sample(page, demo, "A male lion lies on a rock.")
    expect(page.locator(".live-sentence")).to_have_text(
        "Names 2 things, both in the picture. Omits the lioness, the dark mane, the lion's face and the front paws."
    )
    expect(page.get_by_role("button", name="dark mane: not mentioned")).to_have_attribute("data-look", "part")
    expect(page.locator(".legend")).to_contain_text("detail, not mentioned")


def test_the_first_suggestion_is_on_a_phones_first_screen(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{demo.url}/")
    expect(page.locator("path.region.mentioned").first).to_be_attached()
    suggestion, phrases = page.locator(".trials button").first, page.locator(".phrase-lines")
    expect(suggestion).to_be_in_viewport(ratio=1)
    below, above = phrases.bounding_box(), page.locator(".trials").bounding_box()
    assert below and above and above["y"] + above["height"] <= below["y"]
    suggestion.click()
    expect(page.locator(".live-sentence")).to_contain_text("Makes up a dog.")
    expect(page.locator(".live-sentence")).to_be_in_viewport()
    expect(page.locator(".change-score")).to_be_in_viewport(ratio=1)  # what the suggestion has changed
    page.set_viewport_size({"width": 1366, "height": 768})
    below, above = phrases.bounding_box(), page.locator(".trials").bounding_box()  # as on a phone
    assert below and above and above["y"] + above["height"] <= below["y"]


def test_a_thing_in_front_of_the_sky_is_left_out_and_no_part_of_it(page: Page, demo: Server) -> None:
    open_sample(page, demo, "The Eiffel Tower with golden lights")
    details = "the top of the tower, the viewing platform and the iron legs"
    sentence = f"Names 3 things, all in the picture. Omits the tree branches, {details}."
    expect(page.locator(".live-sentence")).to_have_text(sentence)
    expect(page.get_by_role("button", name="tree branches: not mentioned")).to_have_attribute(
        "data-look", "unmentioned"
    )


def test_beside_analyses_lists_the_legend_stays_within_the_picture(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{demo.url}/analyse?dataset=demo")
    page.get_by_role("button", name="A male lion lies on a rock.").first.click()
    expect(page.locator(".legend")).to_contain_text("not mentioned")
    page.wait_for_function("""() => {
        const boxOf = (which) => document.querySelector(which)?.getBoundingClientRect();
        const picture = boxOf(".region-stage"), legend = boxOf(".legend");
        return picture?.width && legend?.width && legend.right <= picture.right;
    }""")  # the picture is drawn again once its regions are known
    page.wait_for_function("""() => {
        const [bar, numbers] = [".part-bar", "summary"].map((which) => document.querySelector(`.score-parts ${which}`));
        const middle = (node) => node.getBoundingClientRect().top + node.offsetHeight / 2;
        return bar && numbers && Math.abs(middle(bar) - middle(numbers)) < 3;
    }""")  # scores are drawn again once the metrics are known


def test_sections_below_the_errors_have_the_full_width_and_show_a_sample_below_themselves(
    page: Page, demo: Server
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{demo.url}/analyse?dataset=demo")
    contents = page.get_by_role("navigation", name="Sections")
    contents.get_by_role("link", name="What captions do not mention").click()
    section = page.locator("section[aria-labelledby=left-out]")
    table = section.get_by_role("region", name="Captions that omit the most")
    expect(table).to_be_visible(timeout=SLOW_MS)
    whole, shown = page.locator(".analyse-page-parts").bounding_box(), section.bounding_box()
    assert whole and shown and shown["width"] >= whole["width"] - 4
    assert table.evaluate("(box) => box.scrollWidth <= box.clientWidth")  # recall is not cut off
    assert max(table.locator("tbody tr").evaluate_all("(rows) => rows.map((row) => row.offsetHeight)")) < 160
    cells = dict(zip(table.locator("th").all_text_contents(), table.locator("td").all_text_contents(), strict=False))
    assert re.fullmatch(r"\d+ of \d+", cells["regions omitted"]) and "," in cells["labels not mentioned"]
    ticks = section.locator(".ytick text").all_text_contents()
    assert ticks and all(tick.isdecimal() for tick in ticks)
    table.get_by_role("button").first.click()
    sample = page.get_by_role("region", name="Sample", exact=True)
    expect(sample.locator(".live-sentence")).to_be_in_viewport(timeout=SLOW_MS)
    below, above = sample.bounding_box(), section.bounding_box()
    assert below and above and below["y"] >= above["y"] + above["height"] - 1
    picture = sample.locator(".region-frame").bounding_box()
    assert picture and picture["height"] < 768


def test_the_first_suggestion_makes_something_up(page: Page, demo: Server) -> None:
    page.goto(f"{demo.url}/")
    expect(page.locator("path.region.mentioned").first).to_be_attached()
    page.locator(".trials button").first.click()
    expect(page.locator(".live-sentence")).to_contain_text("Makes up ")
    expect(page.locator(".phrase-line.wrong .phrase")).to_have_count(1)
    expect(page.locator(".change-score")).to_contain_text("→")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".live-sentence")).not_to_contain_text("Makes up ")
    expect(page.locator(".change")).to_be_hidden()


def test_the_first_screen_of_the_demo_fits_a_laptop_and_costs_few_requests(page: Page, demo: Server) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    session = page.context.new_cdp_session(page)
    transfers = Transfers(session)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(f"{demo.url}/")
    expect(page.locator(".frame img[src]").first).to_be_attached()  # these come last
    framed(page)
    for part in ESSENTIAL:
        expect(page.locator(part).first).to_be_in_viewport(ratio=1)
    before = [one for one in transfers.before("/small") if not any(part in one.url for part in OF_GRADIO)]
    ours = [(one.url.removeprefix(demo.url), one.bytes) for one in before]
    assert len(ours) <= MOST_REQUESTS, ours
    data = [size for url, size in ours if url != "/" and not url.startswith("/api/images/")]
    assert 0 < sum(data) <= MOST_BYTES, ours
    assert sum(size for _, size in ours) <= MOST_WITH_PICTURE, ours
    photo = page.locator(".region-layer img")
    expect(photo).to_have_attribute("src", re.compile("/screen$"))
    page.locator(".region-stage").dblclick(position={"x": 200, "y": 100})
    expect(photo).to_have_attribute("src", re.compile(r"/api/images/\d+$"))  # zoomed: in full


def test_marks_on_the_caption_are_not_covered_in_forced_colours(page: Page, demo: Server) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(f"{demo.url}/")
    field = page.get_by_label("Caption to score")
    expect(field).to_have_css("forced-color-adjust", "none")  # else its words have an opaque ground, over the marks


@pytest.mark.parametrize("width", [1366, 390])
def test_the_page_says_that_the_caption_can_be_edited_and_what_hice_is(page: Page, demo: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(f"{demo.url}/")
    field, cue = page.get_by_label("Caption to score"), page.locator(".caption-field label")
    expect(cue).to_have_text("Edit the caption")
    expect(cue.locator("svg")).to_have_attribute("aria-hidden", "true")
    expect(field).to_have_accessible_name("Edit the caption to score")
    expect(field).to_have_css("cursor", "text")
    cue.click()
    expect(field).to_be_focused()
    around, inside = page.locator(".caption-field").bounding_box(), cue.bounding_box()
    assert around and inside and inside["x"] + inside["width"] <= around["x"] + around["width"]
    card = page.locator(".score-card[data-metric='HICE-S']")
    expect(card).to_contain_text("HICE-S checks each detail of the caption against the picture’s labelled regions.")
    if width > 860:
        expect(cue).to_be_in_viewport(ratio=1)
        expect(card.locator(".about-metric")).to_be_in_viewport(ratio=1)
    card.get_by_role("link", name="Glossary").click()
    expect(page.locator("#hice-s")).to_contain_text("A metric that checks each detail of a caption")


def test_a_mark_from_labels_is_read_out_without_a_number(page: Page, demo: Server) -> None:
    open_sample(page, demo, "A red bus waits")
    chips = page.locator(".phrase[aria-label*='contradicted']")
    expect(chips.first).to_be_visible()
    for label in page.locator(".phrase[aria-label]").evaluate_all(
        "all => all.map((e) => e.getAttribute('aria-label'))"
    ):
        assert not re.search(r"precision|similar|\d\.\d", label), label
