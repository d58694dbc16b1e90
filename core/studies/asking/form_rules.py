"""Rules of a form's file that concern several of its tables.

The type of each table checks all rules that concern only this table.
"""

from collections.abc import Iterator

from core.foreign_values import Complaint
from core.studies.asking.criteria import Criterion
from core.studies.asking.form import Form, Introduction, placeholders
from core.studies.asking.worked_example import ExampleAnswer, WorkedExample

MOST_CRITERIA = 20
MOST_EXPLANATIONS = 9
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
    if form.example is not None:
        yield from _of_example(form.example, form)


def _of_words(introduction: Introduction) -> Iterator[Complaint]:
    words = introduction.words
    if words is None or all(getattr(words, name) for name in _COUNTS):
        return
    for paragraphs in (introduction.paragraphs, introduction.without_pictures):
        for place, paragraph in enumerate(paragraphs, 1):
            if "pictures" in placeholders(paragraph):
                expected = f"{', '.join(_COUNTS)}, for {{pictures}} in paragraph {place}"
                yield Complaint(("introduction", "words"), expected, "not all of these words")


def _of_example(example: WorkedExample, form: Form) -> Iterator[Complaint]:
    """Yield what a form's worked example lacks.

    A worked example needs its texts, and one right answer to each question.
    """
    explanations = len(example.explanations)
    if form.shows.explanation and form.layout == "side_by_side" and not form.compares:
        if not 2 <= explanations <= MOST_EXPLANATIONS:
            yield Complaint(("example", "explanations"), f"2 to {MOST_EXPLANATIONS} texts", explanations)
    elif explanations != (needed := 0 if not form.shows.explanation else 1 if form.layout == "single" else 2):
        yield Complaint(("example", "explanations"), f"a list of {needed}", explanations)
    if len(example.captions) != (needed := 2 if form.compares and form.rates == "caption" else 1):
        yield Complaint(("example", "captions"), f"a list of {needed}", len(example.captions))
    if len(example.scores) != (needed := explanations if form.shows.score else 0):
        yield Complaint(("example", "scores"), f"a list of {needed}", len(example.scores))
    for number, answer in enumerate(example.answers):
        for key, expected, found in _of_answer(answer, form.criteria, explanations):
            yield Complaint(("example", "answers", number, key), expected, "nothing" if found is None else found)
    given = [(one.criterion, one.panel) for one in example.answers]
    asked = [(one.key, panel) for one in form.criteria for panel in _panels(form, one, explanations)]
    if sorted(given) != sorted(asked):
        found = ", ".join(f"{criterion} {panel}" for criterion, panel in given) or "nothing"
        yield Complaint(("example", "answers"), "one answer for each criterion and explanation", found)


def _panels(form: Form, criterion: Criterion, explanations: int) -> range:
    return range(1, 2 if criterion.compares or form.layout == "single" else explanations + 1)


def _of_answer(
    answer: ExampleAnswer, criteria: tuple[Criterion, ...], explanations: int
) -> Iterator[tuple[str, str, object]]:
    points = {criterion.key: criterion.points for criterion in criteria}
    if answer.criterion not in points:
        yield "criterion", f"one of {', '.join(points)}", answer.criterion or None
    elif answer.point not in points[answer.criterion]:
        yield "point", f"one of {', '.join(map(str, points[answer.criterion]))}", answer.point
    if not 1 <= answer.panel <= max(1, explanations):
        yield "panel", f"a whole number from 1 to {max(1, explanations)}", answer.panel
