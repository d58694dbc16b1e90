"""A rater's report that something is wrong with an item."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from core.errors import InvalidRating
from core.foreign_values import odd_character

ReportReason = Literal[
    "broken_picture",
    "offensive",
    "cannot_judge",  # for example, because the caption is in a language that the rater does not read
    "other",
]
REASONS: tuple[ReportReason, ...] = get_args(ReportReason)
LONGEST_REPORT = 1_000


@dataclass(frozen=True, slots=True)
class ItemReport:
    """A rater's report that something is wrong with an item. Raises InvalidRating."""

    reason: ReportReason
    words: str = ""  # the rater's comment; required for the reason "other"
    skip: bool = False  # True: the rater does not answer the item's questions

    def __post_init__(self) -> None:
        """Check the values sent by a browser."""
        if self.reason not in REASONS:
            raise InvalidRating(f"The reason of a report must be one of {', '.join(REASONS)}.")
        if not isinstance(self.words, str) or len(self.words) > LONGEST_REPORT:
            raise InvalidRating(f"The words of a report must be text of at most {LONGEST_REPORT} characters.")
        odd = odd_character(self.words)
        if odd is not None:
            raise InvalidRating(f"The report holds {odd}, which cannot be stored. Remove it to send the report.")
        if self.reason == "other" and not self.words.strip():
            raise InvalidRating("Say in your own words what is wrong with the item.")
        if not isinstance(self.skip, bool):
            raise InvalidRating("Whether a report skips its item must be true or false.")


def report_of(said: Mapping[str, Any] | None) -> ItemReport | None:
    """Return the report that a browser sent. Raises InvalidRating.

    Returns None if the rater withdraws an earlier report.
    """
    if said is None:
        return None
    if said.keys() - {"reason", "words", "skip"} or "reason" not in said:
        raise InvalidRating("A report must have a reason and may also have words and skip, but nothing else.")
    return ItemReport(**said)
