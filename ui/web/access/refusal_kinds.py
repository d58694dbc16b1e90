"""Turn each error into a refusal: the response that rejects a request.

A refusal has a kind for programs, a sentence for people, and an HTTP status. ui/static/shared/api.js lists the kinds
for scripts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails

from core.errors import (
    AlreadyExists,
    Busy,
    Cancelled,
    CapscopeError,
    ChangedMeanwhile,
    InvalidRating,
    LinkOver,
    ModelUnavailable,
    NotAllowed,
    NotFound,
    NotSignedIn,
    NotYours,
    QueueFull,
    StorageFull,
    StorageUnavailable,
    TooManyAttempts,
    UserError,
    Veiled,
    WentBack,
)

Kind = Literal[
    "not_found",  # there is nothing with this name or number
    "not_yours",  # the item is another rater's, so the request must not be sent again
    # Somebody else has changed the same settings. The page must load them with their stamp (version) and ask the user.
    # Then it may send the request again with the new stamp.
    "changed_meanwhile",
    "went_back",  # the database may be an older copy; first ask which answers it lacks, then send the request again
    "veiled",  # the picture is hidden until the questions before it are answered
    "signed_out",  # the rater must enter the code again; then the page may send the request again
    "sign_in",  # the sender must sign in, because the route needs an account
    "not_allowed",  # the account's role does not allow this
    "link_over",  # the rater's link is invalid or has ended
    "too_many_attempts",  # the sender made too many attempts and must wait before the next attempt
    "busy",  # the same request may succeed after Retry-After. nginx also sends this kind (docs/deploy)
    "taken",  # the name is already in use
    "bad_rating",  # the rating is not a point on the criterion's scale
    "bad_request",  # a mistake that the sender can correct
    "malformed",  # the request has an invalid form
    "too_large",
    "foreign",  # the request came from another site, or under another host name of this computer
    "model_unavailable",  # the weights or the memory for a model are missing
    "cancelled",
    "queue_full",  # too many jobs are waiting for the model; the page may try again later
    "disk_full",  # nothing can be stored until there is space; then the request may be sent again
    "no_storage",  # the database cannot be read or written; the request may be sent again
    "failed",  # an error in Capscope; the terminal has details
]


_OF_ERROR: tuple[tuple[type[Exception], Kind, int], ...] = (  # the first row that matches an error decides
    (NotFound, "not_found", 404),
    (NotYours, "not_yours", 404),
    (ChangedMeanwhile, "changed_meanwhile", 409),
    (WentBack, "went_back", 409),
    (Veiled, "veiled", 403),
    (NotSignedIn, "signed_out", 401),
    (NotAllowed, "not_allowed", 403),
    (LinkOver, "link_over", 410),
    (TooManyAttempts, "too_many_attempts", 429),
    (Busy, "busy", 429),
    (AlreadyExists, "taken", 409),
    (InvalidRating, "bad_rating", 422),
    (UserError, "bad_request", 400),
    (RequestValidationError, "malformed", 422),
    (ModelUnavailable, "model_unavailable", 500),
    (Cancelled, "cancelled", 500),
    (QueueFull, "queue_full", 429),
    (StorageFull, "disk_full", 507),
    (StorageUnavailable, "no_storage", 503),
    (Exception, "failed", 500),
)
OF_STATUS: dict[int, Kind] = {403: "foreign", 404: "not_found", 413: "too_large", 500: "failed"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason for a refused request."""

    kind: Kind
    detail: str  # one sentence for people


def refusal_of(error: Exception) -> Refusal:
    """Return the refusal for an error. The refusal for an unexpected error has no details."""
    kind, _ = kind_and_status(error)
    if isinstance(error, RequestValidationError):
        return malformed([part | {"loc": part["loc"][1:]} for part in error.errors()])
    if isinstance(error, CapscopeError):
        return Refusal(kind, str(error))
    return Refusal(kind, "Something went wrong. The terminal in which Capscope runs shows the details.")


MOST_SAID = 10  # maximum number of mistakes that a refusal lists
LONGEST_PLACE = 200  # maximum characters of a field's path in a refusal
_IN_WORDS = {  # key: pydantic's name of an error; value: text for people
    "missing": "it is missing",
    "extra_forbidden": "this field is unknown",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "the value must be a whole number"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "the value must be a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "the value must be yes or no (true or false)"),
    "string_type": "text is expected",
}


def malformed(parts: Sequence[ErrorDetails]) -> Refusal:
    """Return the refusal for a request with an invalid form.

    It does not repeat the content of the request.
    """
    said = ((".".join(map(str, part["loc"])), _IN_WORDS.get(part["type"], part["msg"])) for part in parts[:MOST_SAID])
    text = "; ".join(f"{where[:LONGEST_PLACE]}: {what}" for where, what in said)
    if len(parts) > MOST_SAID:
        text += f"; and {len(parts) - MOST_SAID} more mistakes"
    # backslashreplace, because a field name may contain half of a surrogate pair, which UTF-8 cannot encode
    return Refusal("malformed", text.encode("utf-8", "backslashreplace").decode())


def kind_and_status(error: Exception) -> tuple[Kind, int]:
    """Return the kind of refusal and the HTTP status for an error."""
    return next((kind, status) for known, kind, status in _OF_ERROR if isinstance(error, known))
