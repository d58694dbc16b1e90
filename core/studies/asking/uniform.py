"""Show explanations in one layout with rounded numbers, so that their look does not reveal the metric.

FLEUR and CLAIR write a paragraph, EXPERT writes three aspects. FLEUR repeats "the score of 0.7706974744796753", while a
model that states the score in its own words writes 0.8. A study with this option shows all explanations in the same
way. The papers do not do this.
"""

import re
from collections.abc import Mapping

DECIMALS = 2  # of numbers in explanations and scores; with 3, zeros added to 2 decimals would reveal the metric
_LONG = re.compile(r"(?<![\w.,])(-?[0-9]+\.[0-9]{3,})(?![\w]|[.,][0-9])")  # numbers; no versions, dates, word parts


def one_paragraph(rationales: Mapping[str, str]) -> dict[str, str]:
    """Join an explanation's texts to one paragraph, with long decimals rounded.

    rationales: the texts by aspect.
    """
    texts = (" ".join(text.split()) for text in rationales.values())
    return {"overall": " ".join(rounded_numbers(text) for text in texts if text)}


def rounded_numbers(text: str) -> str:
    """Return a text with numbers rounded to DECIMALS decimals."""
    return _LONG.sub(lambda found: f"{float(found[1]):.{DECIMALS}f}", text)
