"""Explanations in one layout with their numbers rounded, so that neither tells which metric wrote them.

FLEUR and CLAIR write a paragraph and EXPERT three aspects; FLEUR repeats "the score of 0.7706974744796753", a judge
that answers in words says 0.8. A study that asks for it shows all of them alike; the papers show them as they are.
"""

import re
from collections.abc import Mapping

DECIMALS = 2  # of scores, too: many metrics give no more, and zeros behind theirs would tell
_LONG = re.compile(r"(?<![\w.,])(-?[0-9]+\.[0-9]{3,})(?![\w]|[.,][0-9])")  # no part of a version, a date or a word


def one_paragraph(rationales: Mapping[str, str]) -> dict[str, str]:
    """Return an explanation's texts, by aspect, as one paragraph in their order, long decimals rounded."""
    texts = (" ".join(text.split()) for text in rationales.values())
    return {"overall": " ".join(rounded_numbers(text) for text in texts if text)}


def rounded_numbers(text: str) -> str:
    """Return a text with every number of more than DECIMALS decimals rounded to them."""
    return _LONG.sub(lambda found: f"{float(found[1]):.{DECIMALS}f}", text)
