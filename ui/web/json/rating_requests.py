"""The bodies of the rating page's requests."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from storage.rating.desk.epoch import MOST_KEYS

MOST_SAVES = 500  # maximum number of actions in one request


class Enter(BaseModel):
    """The data with which a person enters as a rater."""

    model_config = ConfigDict(strict=True, extra="forbid")
    code: str = Field(max_length=100)
    return_key: str | None = Field(default=None, max_length=100)


class Arrived(BaseModel):
    """The arrival of a rater from a recruitment platform."""

    model_config = ConfigDict(strict=True, extra="forbid")
    query: str = Field(max_length=4000)  # query string of the address that the rater opened


class Sentence(BaseModel):
    """A sentence of an item's explanation."""

    model_config = ConfigDict(strict=True, extra="forbid")
    panel: int = Field(ge=1, le=100)
    sentence: int = Field(ge=1, le=100_000)


class Saves(BaseModel):
    """A rater's actions, oldest first. Each one is checked separately, so an invalid one does not stop the others."""

    model_config = ConfigDict(strict=True, extra="forbid")
    saves: list[dict[str, Any]] = Field(max_length=MOST_SAVES)
    epoch: str | None = Field(default=None, max_length=40)  # the database's mark when the page last compared answers


class ReadMessages(BaseModel):
    """Messages that a rater has read."""

    model_config = ConfigDict(strict=True, extra="forbid")
    ids: list[int] = Field(max_length=MOST_SAVES)


class Kept(BaseModel):
    """The keys of those answers in a browser that the server has acknowledged."""

    model_config = ConfigDict(strict=True, extra="forbid")
    keys: list[Annotated[str, Field(max_length=80)]] = Field(max_length=MOST_KEYS)


class KeptOf(Kept):
    """The keys of answers in a browser, and the code of the rater who gave them. The rater is not signed in."""

    code: str = Field(max_length=100)
