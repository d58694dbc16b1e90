"""A study's options: how items are assigned, and what raters see of them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from core.errors import BadSetting
from core.json_types import fields_of
from core.studies.asking import uniform
from core.studies.asking.form import Divided, Shows

LARGEST_NUMBER = 2**31 - 1  # the largest seed or number of raters: the limit of an integer column in every database
DECIMALS = 3  # maximum decimals of a displayed score, because more decimals would reveal the metric


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDesign:
    """Options that are common to a study's request, the stored study, and server responses about it.

    Each field has a column of the same name in storage.tables.studies.StudyRow. The storage reads and writes all of
    them.
    """

    seed: int  # random seed for the selection of items and for the order of each rater's items, [0, LARGEST_NUMBER]
    raters_per_item: int | None = None  # number of raters for each item; None: every rater rates every item
    veil: bool | None = None  # True: hide the picture until the questions before it are answered; None: form decides
    overlay: bool | None = None  # True: show the regions that a metric looked at; None: the study's form decides
    uniform: bool = False  # True: show explanations as one paragraph; round their numbers and the score to two decimals

    def __post_init__(self) -> None:
        """Check the ranges of all options. Raises BadSetting."""
        check_number("Raters per item", self.raters_per_item)
        if not 0 <= self.seed <= LARGEST_NUMBER:
            raise BadSetting(f"The seed must be from 0 to {LARGEST_NUMBER}, found {self.seed}.")

    def options(self) -> dict[str, Any]:
        """Return the options by name, in order."""
        return fields_of(StudyDesign, self)

    def decided(self, shows: Shows) -> Self:
        """Return the design with the form's values for options that are None.

        shows: the values of the form (the study's questions).
        """
        return replace(
            self,
            veil=shows.veil if self.veil is None else self.veil,
            overlay=shows.regions if self.overlay is None else self.overlay,
        )

    def shown_texts(self, rationales: Mapping[str, str]) -> Mapping[str, str]:
        """Return an explanation's texts by aspect, as raters see them."""
        return uniform.one_paragraph(rationales) if self.uniform and rationales else rationales

    def shown_score(self, value: float) -> float:
        """Return a score rounded for display to raters."""
        return round(value, uniform.DECIMALS if self.uniform else DECIMALS)

    def divided(self, share: float) -> Divided:
        """Return whether raters see all, some or no explanations divided into aspects.

        share: share of the explanations that have aspects, [0, 1].
        """
        if self.uniform or not share:
            return "none"
        return "all" if share == 1 else "some"


def check_number(what: str, number: int | None) -> None:
    """Raise BadSetting for a number of items or raters out of range.

    Allowed are None, and whole numbers from 1 to LARGEST_NUMBER.
    """
    if number is not None and not 1 <= number <= LARGEST_NUMBER:
        raise BadSetting(f"{what} must be a whole number of at least 1, found {number}.")


def fresh_seed() -> int:
    """Return a random seed, [0, LARGEST_NUMBER)."""
    return secrets.randbelow(LARGEST_NUMBER)
