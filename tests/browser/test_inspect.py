"""The Inspect page: regions and phrases taken apart, captions edited, samples found."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from core.captions.english import NOTICE
from core.metrics.hice import HICE
from core.models import ModelSettings
from core.types import Score
from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import SLOW_MS, Server, framed, with_workplace
from tests.browser.inspecting import CAPTION, no_requests, numbers, open_sample, opened_menu, region, sample_of
from tests.browser.inspecting import scenes as scenes
from tests.making import import_rows
from ui.services.scoring import scoring_plan


def test_zoom_and_pointing_ask_for_nothing_and_the_shown_numbers_are_means_of_their_parts(
    page: Page, scenes: Server
) -> None:
    regions = open_sample(page, scenes, CAPTION)
    expect(regions.locator(".region-counts")).to_have_text("2 of 3 regions mentioned · 2 of 3 things found")
    expect(page.locator(".live-sentence")).to_have_text(
        "Names 3 things, 2 in the picture, 1 unknown. Omits the umbrella."
    )
    opened_menu(page)
    no_requests(page, lambda: try_everything(page, regions))
    numbers(page)
    chips = [float(text) for text in page.locator(".phrase .number").all_inner_texts() if text != "not compared"]
    rows = [float(text) for text in page.locator(".region-row .number").all_inner_texts()]
    whole = re.search(r"whole picture \(([\d.]+)\)", page.locator(".mean-of-regions").inner_text())
    assert whole is not None
    card = page.locator("[data-metric='HICE-S'] .part")
    for name, shown in (("precision", chips), ("recall", [*rows, float(whole[1])])):
        told = card.filter(has_text=name).locator("strong").inner_text()
        assert float(told) == pytest.approx(sum(shown) / len(shown), abs=0.0011)
    region(regions, "umbrella").hover()
    expect(regions.locator(".readout")).to_contain_text("recall ")


def try_everything(page: Page, regions: Locator) -> None:
    shown, regions = regions.locator("path.region:visible"), page.locator("body")
    expect(page.locator(".legend")).to_have_text("mentionednot mentioned")  # only the kinds that are drawn
    page.get_by_label("Show regions").uncheck()
    expect(shown).to_have_count(0)
    page.get_by_label("Show regions").check()
    expect(shown).to_have_count(3)
    regions.get_by_label("Zoom in").click()
    expect(regions.locator(".zoom output")).to_have_text("150 %")
    regions.get_by_label("Zoom out").click()
    page.keyboard.press("Escape")
    expect(page.locator(".menu-panel")).to_be_hidden()
    regions.locator(".phrase", has_text="brown dog").hover()
    expect(regions.locator(".lit.region")).to_have_count(1)
    region(regions, "umbrella").hover()
    expect(regions.locator(".readout")).to_contain_text("umbrella: ")


def test_everything_of_the_picture_can_be_done_with_the_keyboard_alone(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    page.locator("body").click(position={"x": 2, "y": 2})
    tab_to(page, "path.region")
    names = [page.evaluate("document.activeElement.getAttribute('aria-label')")]
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert {name.split(":")[0] for name in names} == {"dog", "grass", "umbrella"}
    page.keyboard.press("Enter")
    expect(regions.locator("path[aria-pressed=true]")).to_have_count(1)
    expect(page).to_have_url(re.compile("region="))
    tab_to(page, ".phrase-line.untold .phrase")
    assert page.evaluate("document.activeElement.className").startswith("phrase")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(regions.locator(".phrase[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(regions.locator("[aria-pressed=true]")).to_have_count(0)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what matches has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never came to {selector}")


def test_an_edited_caption_is_judged_as_it_is_typed_and_not_saved(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    box = page.get_by_label("Caption to score")
    expect(box).to_have_value(CAPTION)
    place = box.bounding_box()
    box.click()  # no mark takes the pointer
    expect(box).to_be_focused()
    box.fill("A large umbrella and a brown dog.")
    for seen in (box, regions.locator(".region-stage"), page.locator(".score-card[data-metric='HICE-S']")):
        expect(seen).to_be_in_viewport()
    expect(region(regions, "umbrella")).to_have_attribute("data-look", "mentioned")
    expect(regions.locator(".region-counts")).to_contain_text("2 of 3 regions mentioned")
    expect(page.locator(".score-card[data-metric='HICE-S']")).to_contain_text("score of the edited caption")
    expect(page.locator(".score-card[data-metric='FLEUR']")).to_contain_text("score of the sample’s own caption")
    sentence = page.locator(".live-sentence")
    expect(sentence).to_have_text("Names 2 things, both in the picture. Omits the grass.")
    assert box.bounding_box() == place  # whatever grows beneath it
    box.fill("A large umbrella and no cat.")
    expect(page.locator(".change")).to_contain_text("Mentioned now: umbrella")
    expect(page.locator(".trials")).to_contain_text("Try with the sample’s own caption:")
    page.get_by_role("button", name="leave out").click()
    expect(box).to_have_value("A brown dog runs.")
    page.get_by_role("button", name="Undo").click()
    expect(box).to_have_value("A large umbrella and no cat.")
    expect(page.locator(".reading-note")).to_contain_text("HICE-S does not understand negation.")
    box.fill(" ")
    expect(page.locator(".change")).to_have_text("There is no caption to score. Write a caption.")
    expect(page.locator(".reading-note")).to_have_text("")
    page.get_by_role("button", name="Undo").click()
    expect(box).to_have_value(CAPTION)
    open_sample(page, scenes, CAPTION)
    assert page.evaluate("[scrollY, document.activeElement.tagName]") == [0, "BODY"]  # the headline is in sight
    page.get_by_role("button", name="leave out “grass”").click()
    expect(regions.locator(".marked-caption")).to_have_text("A brown dog runs.")
    expect(region(regions, "grass")).to_have_attribute("data-look", "unmentioned")
    change = page.locator(".change")
    expect(change.locator("del").first).to_have_text(" on the grass with a red ball")
    expect(change).to_contain_text("Not mentioned any more: grass")
    expect(change).to_contain_text(re.compile(r"HICE-S 0\.\d{3} → 0\.\d{3} \([−+]0\.\d{3}\)"))
    page.get_by_role("button", name="Undo").click()
    expect(regions.locator(".marked-caption")).to_have_text(CAPTION)
    expect(change).to_be_hidden()
    stored = with_workplace(scenes, lambda w: w.repository.samples.get(sample_of(scenes, CAPTION)))
    assert [outcome.metric for outcome in stored.outcomes] == ["FLEUR"]


def test_a_link_opens_the_sample_with_the_same_region_lit_and_with_the_edited_caption(
    page: Page, context: BrowserContext, scenes: Server
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    regions = open_sample(page, scenes, CAPTION)
    field, edited = page.get_by_label("Caption to score"), "A <b>brown</b> dog & “men”."
    numbers(page)
    regions.locator(".region-row", has_text="umbrella").click()
    link = copied_link(page, "Link copied")
    other = context.new_page()
    other.goto(link)
    expect(other.locator("path.region.lit[aria-label^='umbrella']")).to_be_visible(timeout=SLOW_MS)
    page.reload()
    field.fill(edited)
    page.goto(copied_link(page, "Link copied"))
    page.reload()
    expect(field).to_have_value(edited)
    expect(page.locator(".change")).to_have_text(f"Was: {CAPTION}")
    expect(page.locator(".sample-view b", has_text="brown")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("caption="))
    field.fill("A bus. " * 800)
    copied_link(page, "Link copied without the edited caption")


def copied_link(page: Page, said: str) -> str:
    """Copy the link from the menu, and return it."""
    opened_menu(page)
    page.get_by_role("button", name=re.compile("[Ll]ink")).last.click()
    expect(page.get_by_role("button", name=said, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_labels_and_captions_that_look_like_markup_are_text(page: Page, scenes: Server) -> None:
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    regions = open_sample(page, scenes, "<b>dog</b>")
    expect(regions.locator(".marked-caption")).to_have_text("A <b>dog</b> & a cat.")
    numbers(page)
    expect(regions.locator(".region-row", has_text="<img src=x onerror=alert(1)>")).to_be_visible()
    regions.locator(".region-row", has_text="<img").hover()
    assert alerts == []


def test_samples_are_found_by_metric_and_range_of_scores(page: Page, scenes: Server) -> None:
    page.goto(f"{scenes.url}/inspect?dataset=scene")
    expect(page.get_by_text("3 samples", exact=True)).to_be_visible()
    page.get_by_label("Scored by").select_option("FLEUR")
    expect(page.get_by_text("2 samples", exact=True)).to_be_visible()
    page.get_by_label("lowest score").fill("0.5")
    expect(page.get_by_text("1 sample", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_label("lowest score")).to_have_value("0.5")
    expect(page.locator("button.row")).to_contain_text("A man sleeps in a bed.")
    expect(page.locator(".digits div").first).to_have_attribute(
        "aria-label", "first decimal: digit 8 has probability 0.400"
    )
    expect(page.locator(".digits")).to_have_count(2)
    expect(page.locator(".arithmetic")).to_have_text(
        "0.1 · Σ i·pᵢ + 0.01 · Σ i·qᵢ = 0.1 · 6.910 + 0.01 · 6.910 = 0.760"
    )
    expect(page.locator("[data-metric='FLEUR'] .score-value")).to_have_text("0.760")  # what the charts add up to
    page.get_by_label("lowest score").fill("")
    page.get_by_label("Order").select_option("lowest score first")
    expect(page).to_have_url(re.compile("sort=lowest"))
    lowest = page.locator("button.row").first
    expect(lowest).not_to_contain_text("A man sleeps in a bed.")
    lowest.click()
    page.get_by_role("button", name="Next sample").click()
    expect(page.locator(".marked-caption")).to_have_text("A man sleeps in a bed.")
    page.go_back()
    expect(page.locator("button.row[aria-pressed=true]")).not_to_contain_text("A man sleeps in a bed.")


def test_a_list_opens_with_the_address_that_names_it_and_is_saved(page: Page, scenes: Server) -> None:
    sample = sample_of(scenes, CAPTION)
    page.goto(f"{scenes.url}/inspect?dataset=scene&text=a&sample={sample}")
    expect(page.locator("button.row")).to_have_count(3)
    expect(page.locator("button.row[aria-pressed=true]")).to_contain_text(CAPTION)
    expect(page.get_by_label("Search", exact=True)).to_have_value("a")
    page.get_by_label("Search", exact=True).fill("zebra")
    expect(page.get_by_text("0 samples", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_text("3 samples", exact=True)).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as JSONL").click()
    assert len(saved.value.path().read_text(encoding="utf-8").splitlines()) == 3


def test_axe_finds_nothing_in_a_sample_taken_apart_light_or_dark(page: Page, scenes: Server) -> None:
    regions = open_sample(page, scenes, CAPTION)
    found = findings_in_both_colours(page)
    numbers(page)
    regions.locator(".phrase-line.untold .phrase").first.click()
    regions.locator(".phrase").first.click()
    page.locator(".setup summary").click()
    opened_menu(page)
    found += findings_in_both_colours(page)
    page.get_by_role("button", name="Add picture").click()
    found += findings_in_both_colours(page)
    assert found == []


def test_the_page_shows_the_very_numbers_of_the_command_line(page: Page, scenes: Server, tmp_path: Path) -> None:
    """The card's score is what the metric says of the same picture, regions and caption."""
    picture = next(scenes.data_dir.parent.rglob("scene.jpg"))
    file = next(scenes.data_dir.parent.rglob("scene.instances.json"))
    metric = HICE.load(ModelSettings(options={"regions": str(file)}))
    (outcome,) = metric.score([scoring_plan.sample_of(picture, CAPTION)])
    open_sample(page, scenes, CAPTION)
    value = page.locator(".score-card[data-metric='HICE-S'] .score-value").get_attribute("title")
    assert outcome.value == pytest.approx(float(value or "nan"), abs=1e-9)  # type: ignore[union-attr]


def test_a_caption_that_could_not_be_judged_or_read_has_no_verdict(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    page.route("**/api/judge", lambda route: route.abort())
    page.get_by_label("Caption to score").fill("A green frog.")
    expect(page.locator(".regions-about")).to_contain_text(
        f"Not scored: The server does not answer. The marks below belong to “{CAPTION}”."
    )
    expect(page.locator(".score-card[data-metric='HICE-S']")).to_contain_text("The server does not answer.")
    expect(page.locator(".live-sentence")).to_have_text("This caption was not compared with the picture.")
    page.unroute("**/api/judge")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".live-sentence")).to_contain_text("Names 3 things")
    expect(page.locator("path.region[data-look=mentioned]")).to_have_count(2)
    page.get_by_label("Caption to score").fill("Ein Hund liegt auf einem Sofa neben einem Ball.")
    expect(page.locator(".live-sentence")).to_have_text(NOTICE)
    expect(page.locator(".legend")).to_have_text("annotated, not compared")
    expect(page.locator(".phrase, .piece, path.region[data-look$=mentioned]")).to_have_count(0)
    for unseen in (".phrase-lines", ".region-counts", ".reading-note"):
        expect(page.locator(unseen).filter(visible=True).filter(has_text=re.compile("."))).to_have_count(0)
    expect(page.locator(".region-row.waiting")).to_have_count(page.locator(".region-row").count())
    card = page.locator(".score-card[data-metric='HICE-S']").first
    expect(card).to_contain_text("no score: The caption does not look English, and HICE-S reads English only.")
    expect(card).to_contain_text("for the edited caption")
    expect(card.locator(".score-value, .part, .gauge-bar")).to_have_count(0)
    expect(page.locator(".change")).to_be_hidden()
    page.get_by_label("Caption to score").fill("A dog and a grass and an umbrella.")
    expect(page.locator(".live-sentence")).to_contain_text("Names 3 things, all in the picture.")


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
    chip.focus()
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


def test_on_a_phone_a_tapped_phrase_shows_the_picture_with_its_region(phone: Page, scenes: Server) -> None:
    page = phone
    page.set_viewport_size({"width": 390, "height": 700})
    open_sample(page, scenes, CAPTION)
    phrase = page.locator(".phrase", has_text="brown dog")
    phrase.evaluate("(chip) => chip.scrollIntoView({block: 'start'})")
    phrase.tap()
    expect(page.locator(".region-stage")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".sample-seen .readout")).to_be_in_viewport(ratio=0.9)
