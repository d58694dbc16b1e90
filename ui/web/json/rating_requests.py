"""The bodies of the rating page's requests."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from storage.rating.epochs import MOST_KEYS
from storage.study_types import Save
from ui.web.access.refusals import Refusal, malformed

MOST_FIELDS = 30  # maximum fields of one action
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


class Saves(BaseModel):
    """A rater's actions, oldest first. Each one is checked separately, so an invalid one does not stop the others."""

    model_config = ConfigDict(strict=True, extra="forbid")
    saves: list[dict[str, Any]] = Field(max_length=MOST_SAVES)
    epoch: str | None = Field(default=None, max_length=40)  # EpochJson.epoch at the page's last check for lost answers


class Kept(BaseModel):
    """The keys of answers in a browser that the server has acknowledged."""

    model_config = ConfigDict(strict=True, extra="forbid")
    keys: list[Annotated[str, Field(max_length=80)]] = Field(max_length=MOST_KEYS)


def save_of(one: dict[str, Any]) -> Save | Refusal:
    """Return a rater's action, or why it is refused. one: an entry of `Saves`."""
    if one.get("kind") == "report" and "said" not in one:  # only an explicit null withdraws a report
        return Refusal("malformed", "said: Field required. It contains reason, words, skip; null withdraws a report.")
    if len(one) > MOST_FIELDS:
        return Refusal("malformed", f"The action has more than {MOST_FIELDS} fields.")
    try:
        return Save(**one)
    except ValidationError as error:
        return malformed(error.errors())
    except TypeError:  # raised if a field is named like the method's first argument (self)
        return Refusal("malformed", "The action has an unknown field.")


def echoed_key(key: object) -> str | None:
    """Return the key that the browser gave to an action, or None.

    The server repeats this key in its response to the action. None: the key is not printable text.
    """
    return key if isinstance(key, str) and key.isprintable() else None
