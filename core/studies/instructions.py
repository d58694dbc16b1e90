"""The paper's words to raters (EXPERT, Appendix C); protocol text, to be shown as it is."""

from core.studies.planning import Form

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
        "along with a **score** and an **explanation** justifying the score. The explanations are divided into three "
        f"aspects: {_ASPECTS}. Please evaluate them holistically, considering all three together.",
        _TASK,
    ),
    "side_by_side": (
        "Hello and Welcome!",
        "This evaluation consists of {items} data samples. Each data sample includes an **image** and a **caption**. "
        "For each data sample, you will see {sets} sets of **score-explanation** (from {evaluators}).",
        f"Some explanations are written as a single paragraph, while others are divided into three aspects: {_ASPECTS}."
        " For explanations that are broken down into these aspects, please evaluate them holistically, "
        "considering all three together.",
        _TASK,
    ),
}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def instructions(form: Form, items: int, panels: int, criteria: int) -> tuple[str, ...]:
    """Return the paragraphs of the introduction; ``**`` marks emphasis.

    items is the number of samples of the study, panels the largest number of explanations side by side, criteria
    the number of criteria that follow.
    """
    names = [f"Evaluator {number}" for number in range(1, panels + 1)]
    evaluators = ", ".join(names[:-1]) + f", and {names[-1]}" if len(names) > 2 else " and ".join(names)
    sets = _NUMBERS.get(panels, str(panels))
    asked = "criterion" if criteria == 1 else f"{_NUMBERS.get(criteria, str(criteria))} criteria"
    return tuple(
        text.format(items=items, sets=sets, evaluators=evaluators, criteria=asked) for text in _PARAGRAPHS[form]
    )
