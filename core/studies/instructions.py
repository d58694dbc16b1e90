"""The paper's words to raters (EXPERT, Appendix C); protocol text, to be shown as it is."""

from math import ceil
from typing import Literal

from core.studies.planning import Form

Divided = Literal["all", "some", "none"]  # how many explanations are divided into aspects
WORDS_A_MINUTE = 238  # silent reading of English (Brysbaert 2019)
CHARACTERS_A_WORD = 6.0  # with the space behind it
SECONDS_AN_ITEM, SECONDS_AN_ANSWER = 10.0, 5.0  # to look at the picture; to judge and answer a question

_ASPECTS = "**fluency**, **relevance**, and **descriptiveness**"
_TASK = (
    "Your task is **NOT to evaluate the given score itself**. Instead, you should assess the "
    "**quality of the explanation that justifies the score**. "
    "Specifically, you will evaluate each explanation based on the following {criteria}:"
)
_PARAGRAPHS: dict[Form, tuple[str, ...]] = {
    "single": (
        "Hello and Welcome!",
        "This evaluation consists of {items} data samples. Each data sample includes an **image** and a **caption**, "
        "along with a **score** and an **explanation** justifying the score.{divided}",
        _TASK,
    ),
    "side_by_side": (
        "Hello and Welcome!",
        "This evaluation consists of {items} data samples. Each data sample includes an **image** and a **caption**. "
        "For each data sample, you will see {sets} sets of **score-explanation** (from {evaluators}).{divided}",
        _TASK,
    ),
}
_DIVIDED: dict[Divided, str] = {  # what the explanations of the study are not like is left out
    "all": f" The explanations are divided into three aspects: {_ASPECTS}. "
    "Please evaluate them holistically, considering all three together.",
    "some": "\nSome explanations are written as a single paragraph, while others are divided into three aspects: "
    f"{_ASPECTS}. For explanations that are broken down into these aspects, please evaluate them holistically, "
    "considering all three together.",
    "none": "",
}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def instructions(form: Form, items: int, panels: int, criteria: int, divided: Divided) -> tuple[str, ...]:
    """Return the paragraphs of the introduction; ``**`` marks emphasis.

    items is the number of samples of the study, panels the largest number of explanations side by side, criteria
    the number of criteria that follow. divided says how many explanations are divided into aspects: the paper's
    first study had none that was not, its second both kinds.
    """
    names = [f"Evaluator {number}" for number in range(1, panels + 1)]
    evaluators = ", ".join(names[:-1]) + f", and {names[-1]}" if len(names) > 2 else " and ".join(names)
    sets = _NUMBERS.get(panels, str(panels))
    asked = "criterion" if criteria == 1 else f"{_NUMBERS.get(criteria, str(criteria))} criteria"
    values = {"items": items, "sets": sets, "evaluators": evaluators, "criteria": asked, "divided": _DIVIDED[divided]}
    return tuple(line for text in _PARAGRAPHS[form] for line in text.format(**values).split("\n"))


def expected_minutes(items: int, answers: int, characters: float) -> int:
    """Return about how long a study takes, in minutes: an estimate of ours, to tell raters before they start.

    answers is the number of answers to an item, characters the mean length of an item's explanations.
    """
    reading = 60 * characters / CHARACTERS_A_WORD / WORDS_A_MINUTE
    minutes = ceil(items * (reading + SECONDS_AN_ITEM + SECONDS_AN_ANSWER * answers) / 60)
    return minutes if minutes <= 10 else 5 * round(minutes / 5)
