"""A rater's report that something is wrong with an item."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from core.errors import InvalidRating
from core.foreign_values import odd_character, shaped

ReportReason = Literal[
    "broken_picture",
    "offensive",
    "cannot_judge",  # for example, because the caption is in a language that the rater does not read
    "other",
]
LONGEST_REPORT = 1_000


@dataclass(frozen=True, slots=True)
class ItemReport:
    """A rater's report that something is wrong with an item. Raises InvalidRating."""

    reason: ReportReason
    words: Annotated[str, Field(max_length=LONGEST_REPORT)] = ""  # a comment; required for the reason "other"
    skip: Annotated[bool, Field(strict=True)] = False  # True: the rater does not answer the item's questions

    def __post_init__(self) -> None:
        """Check the words."""
        odd = odd_character(self.words)
        if odd is not None:
            raise InvalidRating(f"The report holds {odd}, which cannot be stored. Remove it to send the report.")
        if self.reason == "other" and not self.words.strip():
            raise InvalidRating("Say in your own words what is wrong with the item.")


def report_of(said: Mapping[str, Any] | None) -> ItemReport | None:
    """Return the report that a browser sent. Raises InvalidRating.

    Returns None if the rater withdraws an earlier report.
    """
    return None if said is None else shaped(ItemReport, said, InvalidRating)
