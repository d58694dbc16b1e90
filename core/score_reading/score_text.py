"""Find the score in a model's answer.

Answers that contain more than a number are rare but real: "Score: 0.85", "1.0 out of 1.0", ".85", "Rating 1: 0.8".
Prompts state the scale, so an answer may repeat it: "Score (0.0~1.0): 0.75". The ends of the scale (here 0.0 and 1.0)
are not the score.
"""

import re
from dataclasses import dataclass, replace

# Finds decimal numbers and whole numbers. It skips parts of versions ("1.2.3"), decimal commas ("0,85") and
# percentages. It also skips whole numbers that belong to a fraction ("8/10") or an ordinal ("1st").
NUMBER = re.compile(
    r"(?<![\w.])(?<![0-9],)-?"
    r"(?:[0-9]*+\.[0-9]++(?!\.[0-9])|(?<!/)(?<!/\s)[0-9]++\.?+(?![\w/])(?!\s+/))"
    r"(?!,[0-9])(?!\s*%)"
)
_WHOLE = r"[0-9]+(?:\.0*)?(?!\.?[0-9])"
# Finds the ends of a scale: "0.0~1.0", "0 to 1", "scale of 1 to 5", "/1.0", "out of a maximum of 1.0".
SCALE = re.compile(
    rf"(?:\b(?:scale|rang(?:e|es|ing)|between|from)\b[^0-9\n]{{0,12}}{_WHOLE}|(?<![\w.])0(?:\.0*)?)"
    rf"[ \t]*(?:[~,\-\u2013\u2014]|to|through|and|up to)[ \t]*{_WHOLE}"
    rf"|(?:/|\bout of(?: [a-z]+){{0,3}})\s*{_WHOLE}",
    re.IGNORECASE,
)
# Words that only precede a score: "Score:", "The rating is", "Rating 1:", "On a scale of ..., I rate it".
LEAD = re.compile(
    r"\W*(?:(?:my|the|this|final|overall|caption|score|rating|rate|answer|choose|is|of|i|would|give|say|it|an?|on|scale"
    r"|from|between)\W+)*"
    r"(?:[0-9]\W+)?",
    re.IGNORECASE,
)
SAYS_THE_SCORE = re.compile(
    r"\b(?:score|rating|answer|rate it|say|give it|give)\b\s*+(?:(?:is|of|would be|as|at|a)\b\s*+)*+\W*+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundScore:
    """A number in an answer, and the position of its digits."""

    text: str  # as written: "0.85", ".85", "1", "1."
    start: int  # index of the number's first character in the answer
    ambiguous: bool = False  # True: another number in the answer may be the score

    @property
    def value(self) -> float:
        """The number with all its decimals.

        The value is outside [0, 1] only if the answer has no number within [0, 1].
        """
        return float(self.text)

    @property
    def end(self) -> int:
        """Index of the character after the number."""
        return self.start + len(self.text)

    @property
    def units(self) -> int | None:
        """Index of the digit before the decimal point; None if there is no such digit (".85")."""
        position = self.text.find(".") if "." in self.text else len(self.text)
        return self.start + position - 1 if position and self.text[position - 1].isdigit() else None

    @property
    def decimals(self) -> tuple[int, ...]:
        """Indices of the digits after the decimal point, in order."""
        written = len(self.text.partition(".")[2])
        return tuple(range(self.end - written, self.end))

    @property
    def is_limit(self) -> bool:
        """Return whether the number is 0 or 1, the ends of the scale in prompts."""
        return self.value in (0, 1)


def find_score(answer: str) -> FoundScore | None:
    """Return the score in an answer; None if the answer has no number, or only the scale.

    Numbers that state the scale are ignored. Candidates are the numbers in [0, 1] with a decimal point. If there are no
    such numbers, numbers in [0, 1] without a point are candidates. The numbers 0 and 1 often explain the ends of the
    scale ("1.0 is best; I say 0.4"), so they are used only if there are no others.

    Of several candidates, the number at the beginning of the answer is used. If no candidate is at the beginning, the
    number that the answer calls the score is used, otherwise the first candidate. The result is marked as ambiguous if
    the candidates differ. If no number is in [0, 1], the first number is returned, and the caller refuses it.
    """
    scales = [match.span() for match in SCALE.finditer(answer)]
    asserted = [
        FoundScore(match.group(), match.start())
        for match in NUMBER.finditer(answer)
        if not any(start <= match.start() < end for start, end in scales)
    ]
    within = [number for number in asserted if 0 <= number.value <= 1]
    candidates = [number for number in within if number.decimals] or within
    best = [number for number in candidates if not number.is_limit] or candidates
    if not best:
        return asserted[0] if asserted else None
    called = [number for number in best if SAYS_THE_SCORE.search(answer[: number.start])]
    chosen = called[0] if called and not _opens(answer, best[0]) else best[0]
    return replace(chosen, ambiguous=len({number.value for number in candidates}) > 1)


def score_is_complete(answer: str) -> bool:
    """Return whether an answer's score is complete, so that no more tokens are needed.

    A number is complete after its second decimal, or after one decimal and another character. After "0.80" one more
    character is needed, because it could become "0.805".

    A number such as 0.75 is the score if only words like "Score:" and the scale come before it. The numbers 0.0 and 1.0
    may be the ends of the scale. So they are the score only if their line ends after them.

    If other words come before a number, the number is the score only if these words call it the score. In this case,
    the line must be finished, because a better number may follow in it.
    """
    found = find_score(answer)
    if found is None or not 0 <= found.value <= 1:
        return False
    decimals, rest = found.text.partition(".")[2], answer[found.end :]
    if not decimals or not (rest or (len(decimals) > 1 and not decimals.endswith("0"))):
        return False
    if _opens(answer, found):
        return True
    named = SAYS_THE_SCORE.search(answer[: found.start]) and not found.is_limit
    return bool(named and not found.ambiguous and "\n" in rest)


def _opens(answer: str, number: FoundScore) -> bool:
    """Return whether only an introduction such as "Score:" and the scale come before a number.

    The numbers 0 and 1 must also be the last in their line.
    """
    ends_line = answer[number.end :].lstrip(" .*").startswith("\n")
    before = SCALE.sub("", answer[: number.start])
    return LEAD.fullmatch(before) is not None and (ends_line or not number.is_limit)
