"""The instructions for raters: a form's introduction, with its placeholders replaced."""

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
    """Return the paragraphs of the introduction, starting with the greeting.

    Words between ``**`` and ``**`` are emphasised. amount: this rater's number of items. panels: the largest number of
    explanations side by side. criteria: the number of criteria in the form. panels_differ: whether some items have
    fewer explanations than `panels`.

    divided: whether all, some or none of the explanations are divided into aspects. For example, all are divided in
    EXPERT's first study, and some in its second study. has_pictures: False if all pictures are missing. In this case,
    the form's paragraphs for studies without pictures are used, if it has any.
    """
    words = introduction.words
    paragraphs = introduction.paragraphs if has_pictures else introduction.without_pictures or introduction.paragraphs
    values = {
        "items": items_text(words, amount),
        "pictures": pictures_text(words, amount),
        "sets": sets_text(words, panels, panels_differ),
        "evaluators": evaluators_text(words, panels),
        "criteria": criteria_text(words, criteria),
        "divided": getattr(introduction.divided, divided),
    }
    filled = (text.format(**values) for text in paragraphs)
    return (introduction.greeting, *(line for text in filled for line in text.split("\n")))
