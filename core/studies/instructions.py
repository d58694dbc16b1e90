"""What raters read before they start: a form's introduction, filled in."""

from core.studies.form import Divided, Introduction

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def instructions(
    introduction: Introduction,
    items: int,
    panels: int,
    criteria: int,
    divided: Divided,
    panels_differ: bool = False,
    has_pictures: bool = True,
) -> tuple[str, ...]:
    """Return the paragraphs of the introduction, the greeting first; ``**`` marks emphasis.

    items is the number of samples of the study, panels the largest number of explanations side by side, criteria
    the number of criteria that follow. divided says how many explanations are divided into aspects: EXPERT's
    first study had none that was not, its second both kinds. panels_differ: some items have fewer explanations.
    has_pictures is False where the pictures of all items are missing: then the form's words for that case are used, if
    it has some.
    """
    names = [f"Evaluator {number}" for number in range(1, panels + 1)]
    words = introduction.words
    if words is None:
        evaluators = ", ".join(names[:-1]) + f", and {names[-1]}" if len(names) > 2 else " and ".join(names)
        sets = ("up to " if panels_differ else "") + _NUMBERS.get(panels, str(panels))
        asked = "criterion" if criteria == 1 else f"{_NUMBERS.get(criteria, str(criteria))} criteria"
    else:  # numbers as digits, which need no language
        evaluators = f" {words.conjunction} ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
        sets = f"2–{panels}" if panels_differ and panels > 2 else str(panels)
        asked = words.criterion if criteria == 1 else words.criteria.replace("{number}", str(criteria))
    told = dict(introduction.divided).get(divided, "")
    paragraphs = introduction.paragraphs if has_pictures else introduction.without_pictures or introduction.paragraphs
    values = {"items": items, "sets": sets, "evaluators": evaluators, "criteria": asked, "divided": told}
    filled = (text.format(**values) for text in paragraphs)
    return (introduction.greeting, *(line for text in filled for line in text.split("\n")))
