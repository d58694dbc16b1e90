"""What raters read before they start: a form's introduction, filled in; and how long it will take."""

from math import ceil

from core.studies.form import Divided, Introduction

WORDS_A_MINUTE = 238  # silent reading of English (Brysbaert 2019)
CHARACTERS_A_WORD = 6.0  # with the space behind it
SECONDS_AN_ITEM, SECONDS_AN_ANSWER = 10.0, 5.0  # to look at the picture; to judge and answer a question

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def instructions(
    introduction: Introduction, items: int, panels: int, criteria: int, divided: Divided
) -> tuple[str, ...]:
    """Return the paragraphs of the introduction, the greeting first; ``**`` marks emphasis.

    items is the number of samples of the study, panels the largest number of explanations side by side, criteria
    the number of criteria that follow. divided says how many explanations are divided into aspects: EXPERT's
    first study had none that was not, its second both kinds.
    """
    names = [f"Evaluator {number}" for number in range(1, panels + 1)]
    evaluators = ", ".join(names[:-1]) + f", and {names[-1]}" if len(names) > 2 else " and ".join(names)
    sets = _NUMBERS.get(panels, str(panels))
    asked = "criterion" if criteria == 1 else f"{_NUMBERS.get(criteria, str(criteria))} criteria"
    told = dict(introduction.divided).get(divided, "")
    values = {"items": items, "sets": sets, "evaluators": evaluators, "criteria": asked, "divided": told}
    filled = (text.format(**values) for text in introduction.paragraphs)
    return (introduction.greeting, *(line for text in filled for line in text.split("\n")))


def expected_minutes(items: int, answers: int, characters: float) -> int:
    """Return about how long a study takes, in minutes: an estimate of ours, to tell raters before they start.

    answers is the number of answers to an item, characters the mean length of an item's explanations.
    """
    reading = 60 * characters / CHARACTERS_A_WORD / WORDS_A_MINUTE
    minutes = ceil(items * (reading + SECONDS_AN_ITEM + SECONDS_AN_ANSWER * answers) / 60)
    return minutes if minutes <= 10 else 5 * round(minutes / 5)
