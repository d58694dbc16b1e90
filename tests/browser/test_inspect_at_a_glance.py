"""What the Inspect page says at first sight: a sentence, marks in the caption, few requests, one screen."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.captions.english import NOTICE
from core.types import Score
from tests.browser.conftest import Server, framed, with_workplace
from tests.browser.resting_pointer import RestingPointer
from tests.browser.test_inspect import CAPTION, open_sample, sample_of
from tests.browser.test_inspect import scenes as scenes
from tests.making import import_rows
from ui.services.demo import ensure_demo


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


def test_nothing_is_said_of_a_caption_that_is_not_english(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    expect(page.locator("path.region.mentioned")).to_have_count(2)
    page.get_by_label("Caption to score").fill("Ein Hund liegt auf einem Sofa neben einem Ball.")
    expect(page.locator(".live-sentence")).to_have_text(NOTICE)
    expect(page.locator(".legend")).to_have_text("annotated, not compared")
    expect(page.locator(".phrase, .piece, path.region.mentioned, path.region.unmentioned")).to_have_count(0)
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
