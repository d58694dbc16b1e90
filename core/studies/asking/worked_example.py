"""The worked example: one item with its right answers, which raters read before practice."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.studies.asking.criteria import Criterion
from core.studies.asking.file_values import Lines, OptionalWords, Whole, Words
from core.studies.asking.sentences import sentences
from core.studies.asking.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """The right answer to one question about the example, and why it is right."""

    why: Words
    criterion: str = ""  # key of the criterion; empty: the answer is a verdict on a sentence
    panel: Whole = 1  # position of the judged explanation, from 1
    point: Whole | None = None  # right point of the scale; None: the answer is a verdict on a sentence
    sentence: Whole | None = None  # number of the judged sentence, from 1
    verdict: Verdict | None = None  # right verdict on the sentence; None: the answer is a point for a criterion


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An item described in words, with its right answers."""

    captions: Lines  # two captions if captions are compared, otherwise one
    picture: OptionalWords = ""  # description of the picture in words; "": not described
    scores: Lines = ()  # one score for each explanation; empty if no score is shown
    explanations: Lines = ()
    answers: tuple[ExampleAnswer, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """The sentences of the example's first explanation."""
        return [one.text for one in sentences({"": self.explanations[0]})] if self.explanations else []


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """One answer of the worked example, as raters see it."""

    asked: str  # name of the judged criterion, or text of the judged sentence
    panel: int  # position of the explanation among several, from 1; 0: there is only one explanation
    point: int | None
    meaning: str  # text of the scale point that is the right answer; empty if a sentence is judged
    verdict: Verdict | None
    why: str


def example_lines(example: WorkedExample, criteria: tuple[Criterion, ...]) -> Iterator[ExampleLine]:
    """Yield the right answers of a form's worked example.

    They are in the order of the form's file. They are the answers to the given criteria, and the verdicts on the
    example's sentences.
    """
    named = {criterion.key: criterion for criterion in criteria}
    for one in example.answers:
        if one.sentence is not None:
            yield ExampleLine(example.sentences[one.sentence - 1], 0, None, "", one.verdict, one.why)
        elif one.criterion in named:
            criterion = named[one.criterion]
            guideline = next(guideline for guideline in criterion.guidelines if guideline.point == one.point)
            panel = one.panel if len(example.explanations) > 1 and not criterion.compares else 0
            yield ExampleLine(criterion.name, panel, one.point, guideline.short or guideline.text, None, one.why)
