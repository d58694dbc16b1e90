"""A study's methods, as facts and as sentences."""

from dataclasses import replace

from core.studies.results import methods as of
from core.studies.results.design_texts import Design
from tests.core.studies.frames import answer, table

DESIGN = Design(
    form="EXPERT, side by side", form_version=1, form_sha256="ab" * 32, dataset="polaris",
    criteria=("Consistency", "Factuality", "Informativeness"), metrics=("EXPERT", "FLEUR"),
    items=3, captions=3, pairs=3, strata=(("low", 2), ("high", 1)), seed=7, panels=2, raters_per_item=2,
    veil=True, overlay=False, uniform=False, capscope="0.2.0",
)  # fmt: skip
ANSWERS = [answer("A", 1, 4), answer("B", 1, 3), answer("A", 2, 4), answer("C", 1, 1, left_out="rater excluded: bot")]


def paragraph(design, ratings):
    return of.paragraph(design, table(ratings))


def methods(design, ratings):
    return of.methods(design, table(ratings))


def test_the_paragraph_tells_form_draw_raters_veil_dates_time_exclusions_and_version() -> None:
    assert paragraph(DESIGN, ANSWERS) == (
        "2 raters judged explanations by EXPERT and FLEUR of 3 captions of polaris (2 of low, 1 of high) "
        "in 3 items, 3 captions with every metric, drawn with seed 7, for Consistency, Factuality and Informativeness "
        "(EXPERT, side by side, version 1). "
        "Up to 2 explanations side by side, in an order that is balanced over raters and items. "
        "The picture was shown after the questions that need only the text were answered. "
        "2 raters were asked to rate each item; reached: 1 item by 2, 1 item by 1, 1 item by 0. "
        "The 3 answers were given on 2026-11-01. An item took 4.0 s (median). "
        "Excluded: 1 answer by C: rater excluded: bot. The figures were computed with Capscope 0.2.0."
    )


def test_captions_without_metrics_are_called_captions() -> None:
    told = paragraph(replace(DESIGN, metrics=()), ANSWERS)
    assert told.startswith("2 raters judged 3 captions of polaris")


def test_the_facts_are_the_same_and_nothing_stands_empty() -> None:
    facts = {one.fact: one.value for one in methods(DESIGN, ANSWERS)}
    assert facts["Captions"] == "3 (2 of low, 1 of high); seed 7"
    assert facts["Items"] == "3 items, 3 captions with every metric"
    assert facts["Answers"] == "3 by 2 raters" and facts["Excluded"] == "1 answer by C: rater excluded: bot"
    assert facts["Form"] == "EXPERT, side by side, version 1, SHA-256 abababababab"
    assert "Time per item" not in {one.fact for one in methods(DESIGN, [])}


def test_a_study_that_nobody_has_rated_says_so() -> None:
    told = paragraph(replace(DESIGN, strata=(("all", 3),), panels=1, raters_per_item=None, veil=False), [])
    assert told.startswith("0 raters judged explanations by EXPERT and FLEUR of 3 captions of polaris in 3 items")
    assert "Nobody has rated yet. The figures" in told and "side by side in" not in told


def test_of_many_excluded_raters_ten_are_named_and_the_others_counted() -> None:
    excluded = [answer(f"K{number:03}", 1, 1, left_out="rater excluded: bot") for number in range(200)]
    told = paragraph(DESIGN, [*ANSWERS[:3], *excluded])
    assert "200 answers by K000, K001," in told and "K009 and 190 other raters: rater excluded: bot" in told
    assert "K010" not in told
