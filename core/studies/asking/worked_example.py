"""The worked example: one item with its right answers, which raters read before practice."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.studies.asking.criteria import Criterion
from core.studies.asking.file_values import Lines, OptionalWords, Whole, Words


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """The right answer to one question about the example, and why it is right."""

    why: Words
    criterion: str = ""  # key of the criterion
    panel: Whole = 1  # position of the judged explanation, from 1
    point: Whole | None = None  # right point of the scale


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An item described in words, with its right answers."""

    captions: Lines  # two captions if captions are compared, otherwise one
    picture: OptionalWords = ""  # description of the picture in words; "": not described
    scores: Lines = ()  # one score for each explanation; empty if no score is shown
    explanations: Lines = ()
    answers: tuple[ExampleAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """One answer of the worked example, as raters see it."""

    asked: str  # name of the judged criterion
    panel: int  # position of the explanation among several, from 1; 0: there is only one explanation
    point: int | None
    meaning: str  # text of the scale point that is the right answer
    why: str


def example_lines(example: WorkedExample, criteria: tuple[Criterion, ...]) -> Iterator[ExampleLine]:
    """Yield the right answers of a form's worked example.

    They are in the order of the form's file.
    """
    named = {criterion.key: criterion for criterion in criteria}
    for one in example.answers:
        if one.criterion in named:
            criterion = named[one.criterion]
            guideline = next(guideline for guideline in criterion.guidelines if guideline.point == one.point)
            panel = one.panel if len(example.explanations) > 1 and not criterion.compares else 0
            yield ExampleLine(criterion.name, panel, one.point, guideline.short or guideline.text, one.why)
