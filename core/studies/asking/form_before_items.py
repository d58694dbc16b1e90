"""Read the sections of a form's file for the pages before the items.

These are questions, comprehension check and worked example.
"""

from typing import get_args

from core.errors import BadSetting
from core.studies.asking.comprehension import MOST_CHECK_CHOICES, MOST_CHECK_QUESTIONS, CheckQuestion
from core.studies.asking.criteria import ABSTAIN, MOST_POINTS
from core.studies.asking.form import Form
from core.studies.asking.form_section import Section
from core.studies.asking.questionnaire import (
    LONGEST_CONSENT,
    LONGEST_TEXT,
    Question,
    Questionnaire,
    questions_of,
)
from core.studies.asking.sentences import sentences
from core.studies.asking.verdicts import Verdict
from core.studies.asking.worked_example import ExampleAnswer, WorkedExample

MOST_EXPLANATIONS = 9
MOST_SENTENCES = 40


def read_entry(table: Section, is_new: bool) -> Questionnaire:
    """Return consent and questions. Raises BadForm.

    is_new: see read_form.
    """
    consent = table.words("consent", "", longest=LONGEST_CONSENT)
    before, after = (_questions(table, phase, is_new) for phase in ("before", "after"))
    table.end()
    try:
        return Questionnaire(consent, before, after)
    except BadSetting as error:
        raise table.bad("", "consent and questions", error) from error


def _questions(table: Section, phase: str, is_new: bool) -> tuple[Question, ...]:
    """Return questions, each a line in the syntax of core.studies.asking.questionnaire."""
    if not table.has(phase):
        return ()
    lines = table.texts(phase)
    try:
        return tuple(question for line in lines for question in questions_of(line, is_new))
    except BadSetting as error:
        raise table.bad(phase, "questions as lines", error) from error


def read_check(tables: list[Section]) -> tuple[CheckQuestion, ...]:
    """Return the questions of the comprehension check. Raises BadForm."""
    questions = tuple(map(_check_question, tables))
    asked = [one.question for one in questions]
    if len(asked) > MOST_CHECK_QUESTIONS or len(set(asked)) < len(asked):
        raise tables[-1].bad("", f"at most {MOST_CHECK_QUESTIONS} different questions", len(asked))
    return questions


def _check_question(table: Section) -> CheckQuestion:
    question = table.words("question", longest=LONGEST_TEXT)
    choices = table.texts("choices")
    if not 2 <= len(choices) <= MOST_CHECK_CHOICES or len(set(choices)) < len(choices):
        raise table.bad("choices", f"2 to {MOST_CHECK_CHOICES} different choices", ", ".join(choices))
    for choice in choices:
        if len(choice) > LONGEST_TEXT or not choice.isprintable():
            raise table.bad("choices", f"choices of at most {LONGEST_TEXT} printable characters", choice[:60])
    right = table.choice("right", choices)
    made = CheckQuestion(question, choices, right, table.words("why"))
    table.end()
    return made


def read_example(table: Section, form: Form) -> WorkedExample:
    """Return the worked example of a form, with one right answer to each question. Raises BadForm."""
    picture = table.words("picture", "")
    captions = _texts(table, "captions", 2 if form.compares and form.rates == "caption" else 1)
    explanations: tuple[str, ...] = ()
    if form.shows.explanation:
        needed = 1 if form.layout == "single" else 2 if form.compares else None
        explanations = _texts(table, "explanations", needed)
    scores = _texts(table, "scores", len(explanations)) if form.shows.score and explanations else ()
    answers = table.sections("answers")
    judged = [] if form.evidence is None else [one.text for one in sentences({"": explanations[0]})]
    example = WorkedExample(
        picture, captions, scores, explanations, tuple(_answer(one, form, judged, len(explanations)) for one in answers)
    )
    asked = [
        (criterion.key, panel) for criterion in form.criteria for panel in _panels(form, criterion.compares, example)
    ]
    given = [(one.criterion, one.panel) for one in example.answers if one.verdict is None]
    if sorted(given) != sorted(asked):
        raise table.bad("answers", "one answer for each criterion and explanation", _listed(given))
    told = [one.sentence for one in example.answers if one.verdict is not None]
    if sorted(told) != sorted(judged):
        raise table.bad("answers", f"one answer to each of the {len(judged)} sentences", len(told))
    table.end()
    return example


def _panels(form: Form, compares: bool, example: WorkedExample) -> range:
    return range(1, 2 if compares or form.layout == "single" else len(example.explanations) + 1)


def _listed(given: list[tuple[str, int]]) -> str:
    return ", ".join(f"{criterion} {panel}" for criterion, panel in given) or "nothing"


def _texts(table: Section, key: str, number: int | None) -> tuple[str, ...]:
    """Remove and return `number` texts; None: 2 or more."""
    found = table.texts(key)
    if number is not None and len(found) != number:
        raise table.bad(key, f"a list of {number}", len(found))
    if not 1 <= len(found) <= MOST_EXPLANATIONS or (number is None and len(found) < 2):
        raise table.bad(key, f"2 to {MOST_EXPLANATIONS} texts", len(found))
    return found


def _answer(table: Section, form: Form, judged: list[str], explanations: int) -> ExampleAnswer:
    why = table.words("why")
    if judged and table.has("sentence"):
        sentence = judged[table.whole("sentence", 1, min(len(judged), MOST_SENTENCES)) - 1]
        answer = ExampleAnswer(why, sentence=sentence, verdict=table.choice("verdict", get_args(Verdict)))
    else:
        key = table.choice("criterion", tuple(criterion.key for criterion in form.criteria))
        panel = table.whole("panel", 1, max(1, explanations), 1)
        point = table.whole("point", ABSTAIN, MOST_POINTS)
        answer = ExampleAnswer(why, key, panel, point)
        (points,) = (criterion.points for criterion in form.criteria if criterion.key == key)
        if point not in points:
            raise table.bad("point", f"one of {', '.join(map(str, points))}", point)
    table.end()
    return answer
