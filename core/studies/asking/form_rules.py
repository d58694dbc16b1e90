"""Rules of a form's file that concern several of its tables.

The type of each table checks all rules that concern only this table.
"""

from collections.abc import Iterator

from core.foreign_values import Complaint
from core.studies.asking.form import Form, Introduction, placeholders

MOST_CRITERIA = 20
_COUNTS = ("pictures", "some_pictures", "no_pictures")  # texts that a form with the placeholder {pictures} needs


def contradictions(form: Form) -> Iterator[Complaint]:
    """Yield every contradiction between the values of a form (a study's questions)."""
    keys = [criterion.key for criterion in form.criteria]
    if len(set(keys)) < len(keys):
        yield Complaint(("criteria",), "a different key for each criterion", ", ".join(keys))
    if len(keys) > MOST_CRITERIA or not keys:
        yield Complaint(("criteria",), f"1 to {MOST_CRITERIA} criteria", len(keys))
    if form.rates == "caption" and (form.shows.score or form.shows.explanation):
        yield Complaint(
            ("rates",), "a form that shows no score or explanation, because raters rate the caption", "one that does"
        )
    if form.compares and form.layout != "side_by_side":
        yield Complaint(
            ("layout",), "side_by_side, because a criterion compares two captions or explanations", form.layout
        )
    if form.rates == "caption" and form.layout == "side_by_side" and not form.compares:
        expected = "single, because no criterion compares the captions"
        yield Complaint(("layout",), expected, form.layout)
    if form.shows.veil and not any(criterion.without_image for criterion in form.criteria):
        expected = "a criterion with without_image = true, because its answer reveals the veiled picture"
        yield Complaint(("shows",), expected, "none")
    yield from _of_words(form.introduction)


def _of_words(introduction: Introduction) -> Iterator[Complaint]:
    words = introduction.words
    if words is None or all(getattr(words, name) for name in _COUNTS):
        return
    for paragraphs in (introduction.paragraphs, introduction.without_pictures):
        for place, paragraph in enumerate(paragraphs, 1):
            if "pictures" in placeholders(paragraph):
                expected = f"{', '.join(_COUNTS)}, for {{pictures}} in paragraph {place}"
                yield Complaint(("introduction", "words"), expected, "not all of these words")
