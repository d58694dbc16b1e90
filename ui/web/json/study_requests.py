"""The bodies of requests that change a study or its raters."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.studies.asking.questionnaire import (
    LONGEST_CONSENT,
)
from core.studies.planning.life_cycle import State

Stamp = Annotated[str, Field(max_length=40, pattern=r"^[\w-]+$")]  # version of the settings that the sender read
MOST_RATERS = 200  # maximum number of raters in one request
Code = Annotated[str, Field(max_length=100)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewState(_Body):
    """The new state of a study."""

    stamp: Stamp
    state: State
    pilot_items: Number | None = None


class Settings(_Body):
    """New settings of a study."""

    stamp: Stamp
    deadline: datetime | None  # deadline with its UTC offset; None: no deadline
    items_per_rater: Number | None
    hold_hours: Annotated[float, Field(gt=0, le=24 * 365)]
    new_raters: bool = True  # False: no new raters get items, only raters who are at work


class EntryBody(_Body):
    """A study's consent text, and the questions before and after its items, one question per line."""

    stamp: Stamp
    consent: str = Field(max_length=LONGEST_CONSENT)
    before: str = Field(max_length=LONGEST_CONSENT)
    after: str = Field(max_length=LONGEST_CONSENT)


class LinesBody(_Body):
    """Questions to parse while they are typed, one per line."""

    lines: str = Field(max_length=LONGEST_CONSENT)


class Name(_Body):
    """A study's name: the name of a copy, or the name typed again before a deletion."""

    name: str = Field(max_length=200)


class Whose(_Body):
    """Raters whose unfinished items are released. They are named by codes or by the recruitment platform's ids."""

    codes: list[Code] = Field(min_length=1, max_length=MOST_RATERS)
    why: Literal["returned", "timed_out", "by_hand"] = "by_hand"


class Excluded(_Body):
    """A rater to exclude from results."""

    code: Code
    reason: str = Field(max_length=1000)


class Included(_Body):
    """The code of a rater to include again, or to look up."""

    code: Code


class Erased(_Body):
    """A rater to erase. The user must type the rater's code again."""

    code: Code
    typed: Code
    keep_ratings: bool
