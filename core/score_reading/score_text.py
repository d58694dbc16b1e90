"""Finding the score in a model's answer.

Answers other than a bare number are rare but real: "Score: 0.85", "1.0 out of 1.0", ".85", "Rating 1: 0.8". Prompts
name the scale, so an answer may repeat it, "Score (0.0~1.0): 0.75": the scale's ends are not the score.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

# A decimal number that is no part of a version ("1.2.3"), a decimal comma ("0,85") or a percentage,
# or else a whole number that is moreover no part of a fraction ("8/10") or an ordinal ("1st").
NUMBER = re.compile(
    r"(?<![\w.])(?<![0-9],)-?"
    r"(?:[0-9]*+\.[0-9]++(?!\.[0-9])|(?<!/)(?<!/\s)[0-9]++\.?+(?![\w/])(?!\s+/))"
    r"(?!,[0-9])(?!\s*%)"
)
BETWEEN = re.compile(r"[ \t]*(?:[~\-\u2013\u2014]|to|through|and|up to|(?P<comma>,))[ \t]*")  # the two ends of a scale
NAMES_A_SCALE = re.compile(r"\b(?:scale|rang(?:e|es|ing)|between|from)\b[^0-9\n]{0,12}$", re.IGNORECASE)
OUT_OF = re.compile(r"(?:/|\bout of(?: [a-z]+){0,3})\s*$", re.IGNORECASE)  # before what a score is out of
EXTREME = r"(?:best|worst|perfect|highest|lowest|maximum|minimum|max|min|top|bottom|ideal|flawless|excellent)"
IS_EXTREME = re.compile(  # "1.0 is the best", "0.0 = worst"
    rf"[ \t]*(?:is|being|means?|indicates?|represents?|denotes?|=)\s*(?:an? |the |absolutely )?{EXTREME}\b",
    re.IGNORECASE,
)
EXTREME_IS = re.compile(  # "the highest score is 1.0"
    rf"\b{EXTREME}(?: possible)?(?: score| rating| value| mark)?\s*(?:is|of|being|=)\s*$", re.IGNORECASE
)
LINE_OF_CRITERIA = re.compile(r"[\"'*]*\s*[:=]\s*[A-Za-z]")  # behind a number that begins a line
# What leads up to a score and to nothing else: "Score:", "The rating is", "Rating 1:", "On a scale of ..., I rate it".
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
    """A number in an answer, and where its digits stand."""

    text: str  # as written: "0.85", ".85", "1", "1."
    start: int  # character of the answer at which it begins
    ambiguous: bool = False  # other numbers in the answer would do as well

    @property
    def value(self) -> float:
        """The number, all decimals; outside [0, 1] where the answer holds no better one."""
        return float(self.text)

    @property
    def end(self) -> int:
        """Character of the answer behind the number."""
        return self.start + len(self.text)

    @property
    def units(self) -> int | None:
        """Character of the units digit; None where it is not written (".85")."""
        position = self.text.find(".") if "." in self.text else len(self.text)
        return self.start + position - 1 if position and self.text[position - 1].isdigit() else None

    @property
    def decimals(self) -> tuple[int, ...]:
        """Characters of the digits after the decimal point, in order."""
        written = len(self.text.partition(".")[2])
        return tuple(range(self.end - written, self.end))

    @property
    def is_limit(self) -> bool:
        """Whether it is 0 or 1, the ends of the scale that prompts name."""
        return self.value in (0, 1)


def find_score(answer: str) -> FoundScore | None:
    """Return the score of an answer; None where it holds no number, or only the scale.

    The numbers that name the scale are left out. Of the others, those in [0, 1] with a decimal point go first, else
    those without; among several the one that opens the answer, else the one that is called the score, else the first:
    then it is ambiguous, if they differ. Where none lies in [0, 1] the first is returned as it
    is, for its owner to refuse.
    """
    numbers = _numbers(answer)
    scales = _scales(answer, numbers)
    asserted = [number for number in numbers if not _within(number, scales)]
    within = [number for number in asserted if 0 <= number.value <= 1]
    kept = _without_explained(answer, within)
    best = [number for number in kept if number.decimals] or kept
    if not best:
        return asserted[0] if asserted else None
    called = [number for number in best if SAYS_THE_SCORE.search(answer[: number.start])]
    chosen = called[0] if called and not _opens(answer, best[0], scales) else best[0]
    return replace(chosen, ambiguous=len({number.value for number in best}) > 1)


def score_is_complete(answer: str) -> bool:
    """Whether the score stands there, its first two decimals included, and what follows need not be read.

    A number is whole with its second decimal, or with one decimal and something after it; after "0.80" a third
    decimal would tell 0.8 from 0.805, so the digit after a zero is awaited. 0.75 is then the score if nothing but words
    like "Score:" and the scale led up to it; 0.0 and 1.0 may be the scale's own and are so only at the end of their
    line. Behind other words it must be called the score, and the rest of its line is read: another may be the better.
    """
    found = find_score(answer)
    if found is None or not 0 <= found.value <= 1:
        return False
    decimals, rest = found.text.partition(".")[2], answer[found.end :]
    if not decimals or not (rest or (len(decimals) > 1 and not decimals.endswith("0"))):
        return False
    if _opens(answer, found, _scales(answer, _numbers(answer))):
        return True
    named = SAYS_THE_SCORE.search(answer[: found.start]) and not found.is_limit
    return bool(named and not found.ambiguous and "\n" in rest)


def _numbers(answer: str) -> list[FoundScore]:
    return [FoundScore(match.group(), match.start()) for match in NUMBER.finditer(answer)]


def _scales(answer: str, numbers: Sequence[FoundScore]) -> list[tuple[int, int]]:
    """Return the stretches of an answer that name a scale: "0.0~1.0", "1 to 5" after "scale of", "out of 1.0"."""
    ranges = [(low.start, high.end) for low, high in pairwise(numbers) if _is_range(answer, low, high)]
    tops = [(found.start(), top.end) for top in numbers if (found := _out_of(answer, top))]
    return ranges + tops


def _is_range(answer: str, low: FoundScore, high: FoundScore) -> bool:
    """Whether two numbers are the ends of a scale: 0 and a whole number, or any two where a scale is spoken of."""
    joint = BETWEEN.fullmatch(answer[low.end : high.start])
    if joint is None or not (low.value.is_integer() and high.value.is_integer() and low.value < high.value):
        return False
    if joint["comma"]:
        return answer[: low.start].endswith(("[", "("))
    return low.value == 0 or NAMES_A_SCALE.search(answer[: low.start]) is not None


def _out_of(answer: str, top: FoundScore) -> re.Match[str] | None:
    return OUT_OF.search(answer[: top.start]) if top.value.is_integer() else None


def _within(number: FoundScore, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(start <= number.start < end for start, end in stretches)


def _without_explained(answer: str, numbers: Sequence[FoundScore]) -> Sequence[FoundScore]:
    """Leave out numbers of which the answer only says what they would mean, unless nothing else is left."""
    lines = [number for number in numbers if _begins_criterion(answer, number)]
    listed = {number.start for number in lines} if len({number.value for number in lines}) > 1 else set()
    kept = [number for number in numbers if number.start not in listed and not _is_explained(answer, number)]
    return kept or numbers


def _begins_criterion(answer: str, number: FoundScore) -> bool:
    line = answer[: number.start].rpartition("\n")[2]
    return not line.strip(" \t>*-\u2022\"'") and LINE_OF_CRITERIA.match(answer, number.end) is not None


def _is_explained(answer: str, number: FoundScore) -> bool:
    said = IS_EXTREME.match(answer, number.end) or EXTREME_IS.search(answer[: number.start])
    return number.is_limit and said is not None


def _opens(answer: str, number: FoundScore, scales: Sequence[tuple[int, int]]) -> bool:
    """Whether nothing stands before a number but what leads up to a score; 0 and 1 must also end their line."""
    before = answer[: number.start]
    for start, end in sorted(scales, reverse=True):
        if end <= number.start:
            before = before[:start] + before[end:]
    ends_line = answer[number.end :].lstrip(" .*").startswith("\n")
    return LEAD.fullmatch(before) is not None and (ends_line or not number.is_limit)
