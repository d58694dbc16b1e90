"""What the rating page sends."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from storage.rating.desk.epoch import MOST_KEYS

MOST_SAVES = 500  # of one request


class Enter(BaseModel):
    """Who wants to rate."""

    model_config = ConfigDict(strict=True, extra="forbid")
    code: str = Field(max_length=100)
    return_key: str | None = Field(default=None, max_length=100)


class Arrived(BaseModel):
    """Somebody whom a panel sends."""

    model_config = ConfigDict(strict=True, extra="forbid")
    query: str = Field(max_length=4000)  # of the address they came to


class Sentence(BaseModel):
    """A sentence of an item's explanation."""

    model_config = ConfigDict(strict=True, extra="forbid")
    panel: int = Field(ge=1, le=100)
    sentence: int = Field(ge=1, le=100_000)


class Saves(BaseModel):
    """What a rater did, oldest first. Each one is checked by itself, so that a bad one holds up no other."""

    model_config = ConfigDict(strict=True, extra="forbid")
    saves: list[dict[str, Any]] = Field(max_length=MOST_SAVES)
    epoch: str | None = Field(default=None, max_length=40)  # at which the page has last compared its answers


class Kept(BaseModel):
    """Answers that a browser has kept, although the server has stored them."""

    model_config = ConfigDict(strict=True, extra="forbid")
    keys: list[Annotated[str, Field(max_length=80)]] = Field(max_length=MOST_KEYS)


class KeptOf(Kept):
    """Answers that a browser has kept of a rater who is not signed in."""

    code: str = Field(max_length=100)
