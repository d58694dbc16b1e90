"""Mend the number of a verb: "two men is standing" becomes "two men are standing".

Only forms of "be" and "have" are mended, and only after a subject whose first word states its number.
"""

import re

from core.captions.factual_conventions import NUMBERS

PLURAL_VERBS = {"is": "are", "was": "were", "has": "have"}
SINGULAR_VERBS = {plural: singular for singular, plural in PLURAL_VERBS.items()}
MANY = frozenset(NUMBERS) | frozenset("both several many these those few".split())
ONE = frozenset("one this each every".split())
# The subject ends before these words. A verb after them may have another subject: "two men's dog is small".
SUBJECT_ENDS = re.compile(r"[,.;:!?'’]|\b(?:and|or|of|while|as|but|that|who|which|whose|where|when)\b", re.IGNORECASE)
VERB = re.compile(r"\b(?:is|are|was|were|has|have)\b")


def agreeing(caption: str) -> str:
    """Return the caption with its first verb corrected, if necessary.

    The first word of the subject must state a number: "two men is" becomes "two men are". If it states no number, the
    caption is returned unchanged.
    """
    first = (re.findall(r"[\w-]+", caption.lower()) or [""])[0]
    verbs = PLURAL_VERBS if first in MANY else SINGULAR_VERBS if first in ONE else {}
    end = SUBJECT_ENDS.search(caption)
    found = VERB.search(caption, 0, end.start() if end else len(caption))
    if found is None or found.group() not in verbs:
        return caption
    return caption[: found.start()] + verbs[found.group()] + caption[found.end() :]
