"""Finding the score in a model's answer.

Answers other than a bare number are rare but real: "Score: 0.85", "1.0 out of 1.0", ".85", "Rating 1: 0.8".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A decimal number that is no part of a version ("1.2.3"), a decimal comma ("0,85") or a percentage,
# or else a whole number that is moreover no part of a fraction ("8/10") or an ordinal ("1st").
NUMBER = re.compile(
    r"(?<![\w.])(?<![0-9],)-?"
    r"(?:[0-9]*+\.[0-9]++(?!\.[0-9])|(?<!/)(?<!/\s)[0-9]++\.?+(?![\w/])(?!\s+/))"
    r"(?!,[0-9])(?!\s*%)"
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
    def units(self) -> int | None:
        """Character of the units digit; None where it is not written (".85")."""
        position = self.text.find(".") if "." in self.text else len(self.text)
        return self.start + position - 1 if position and self.text[position - 1].isdigit() else None

    @property
    def decimals(self) -> tuple[int, ...]:
        """Characters of the digits after the decimal point, in order."""
        written = len(self.text.partition(".")[2])
        end = self.start + len(self.text)
        return tuple(range(end - written, end))


def find_score(answer: str) -> FoundScore | None:
    """Return the score of an answer: the first number in [0, 1] with a decimal point, else the first without.

    Where none lies in [0, 1] the first number is returned as it is, for its owner to refuse; None where there
    is no number. Ambiguous: several different numbers of the better sort are left.
    """
    numbers = list(_numbers(answer))
    within = [number for number in numbers if 0 <= number.value <= 1]
    best = [number for number in within if number.decimals] or within
    if not best:
        return numbers[0] if numbers else None
    several = len({number.value for number in best}) > 1
    return FoundScore(best[0].text, best[0].start, several)


def score_is_complete(answer: str) -> bool:
    """Whether further text can no longer change the score, its first two decimals included.

    True once a number in [0, 1] stands there with a second decimal, or with one decimal and something after it.
    After "0.80" a third decimal would tell 0.8 from 0.805, so the digit after a zero is awaited.
    """
    for number in _numbers(answer):
        decimals = number.text.partition(".")[2]
        ended = number.start + len(number.text) < len(answer)
        if decimals and 0 <= number.value <= 1 and (ended or (len(decimals) > 1 and not decimals.endswith("0"))):
            return True
    return False


def _numbers(answer: str) -> Iterator[FoundScore]:
    return (FoundScore(match.group(), match.start()) for match in NUMBER.finditer(answer))
