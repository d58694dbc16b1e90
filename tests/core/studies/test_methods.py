"""A study's methods as sentences."""

from datetime import datetime

from core.studies.asking.form_file import form_named
from core.studies.design import StudyDesign
from core.studies.results import methods as of
from core.studies.study import Study
from tests.core.studies.frames import answer, table

FORM = form_named("expert-side-by-side")
STUDY = Study(
    id=1, name="s", dataset="polaris", notice="", state="running", asks=FORM,
    design=StudyDesign("s", "polaris", 7, raters_per_item=2, veil=True, overlay=False),
    metrics=("EXPERT", "FLEUR"), items=3, captions=3, strata=(("low", 2), ("high", 1)), panels=2,
    without_picture=0, created_at=datetime(2026, 1, 1), stamp="",
)  # fmt: skip
SEEN = {"picture_shown": True}
ANSWERS = [answer("A", 1, 4, **SEEN), answer("B", 1, 3, **SEEN), answer("A", 2, 4, **SEEN)]
ANSWERS.append(answer("C", 1, 1, left_out="rater excluded: bot"))


def paragraph(study, ratings):
    return of.paragraph(study, (), table(ratings))


def test_the_paragraph_tells_form_draw_raters_veil_dates_time_and_exclusions() -> None:
    assert paragraph(STUDY, ANSWERS) == (
        "2 raters judged explanations by EXPERT and FLEUR of 3 captions of polaris (2 of low, 1 of high) "
        "in 3 items, drawn with seed 7, for Consistency, Factuality and Informativeness "
        f"(EXPERT: explanations side by side, SHA-256 {FORM.sha256[:12]}). "
        "Up to 2 explanations side by side, in an order that is balanced over raters and items. "
        "The picture was shown after the questions that need only the text were answered. "
        "2 raters were asked to rate each item; reached: 1 item by 2, 1 item by 1, 1 item by 0. "
        "The 3 answers were given on 2026-11-01. An item took 4.0 s (median). "
        "Excluded: 1 answer by C: rater excluded: bot. The figures were computed with Capscope 0.2.0."
    )


def test_of_many_excluded_raters_ten_are_named_and_the_others_counted() -> None:
    excluded = [answer(f"K{number:03}", 1, 1, left_out="rater excluded: bot") for number in range(200)]
    told = paragraph(STUDY, [*ANSWERS[:3], *excluded])
    assert "200 answers by K000, K001," in told and "K009 and 190 other raters: rater excluded: bot" in told
    assert "K010" not in told
