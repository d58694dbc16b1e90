"""What raters read before they start: a form's introduction, filled in."""

from core.studies.asking.form import Divided, Introduction
from core.studies.asking.form_words import Amount, criteria_text, evaluators_text, items_text, pictures_text, sets_text


def instructions(
    introduction: Introduction,
    amount: Amount,
    panels: int,
    criteria: int,
    divided: Divided,
    panels_differ: bool = False,
    has_pictures: bool = True,
) -> tuple[str, ...]:
    """Return the paragraphs of the introduction, the greeting first; ``**`` marks emphasis.

    amount is what this rater gets, panels the largest number of explanations side by side, criteria the number of
    criteria that follow. divided says how many explanations are divided into aspects: EXPERT's first study had none
    that was not, its second both kinds. panels_differ: some items have fewer explanations.
    has_pictures is False where the pictures of all items are missing: then the form's words for that case are used, if
    it has some.
    """
    words = introduction.words
    paragraphs = introduction.paragraphs if has_pictures else introduction.without_pictures or introduction.paragraphs
    values = {
        "items": items_text(words, amount),
        "pictures": pictures_text(words, amount),
        "sets": sets_text(words, panels, panels_differ),
        "evaluators": evaluators_text(words, panels),
        "criteria": criteria_text(words, criteria),
        "divided": dict(introduction.divided).get(divided, ""),
    }
    filled = (text.format(**values) for text in paragraphs)
    return (introduction.greeting, *(line for text in filled for line in text.split("\n")))
