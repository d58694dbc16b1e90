"""All errors that Capscope raises on purpose.

Each message says what was expected, what was found and what to do. The command line exits with 2 for a UserError.
"""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from core.bad_rows import listed, row_count, same_errors

# Reasons why a sample has no score: short words that stay the same in storage, messages and counts across metrics.
ErrorKind = Literal[
    "missing_image",  # the picture was not found
    "bad_image",  # the picture cannot be opened safely
    "missing_references",  # the metric needs references, and there are none
    "missing_dataset",  # the metric needs the references of a whole data set
    "missing_text",  # the caption or a reference is empty
    "missing_regions",  # no regions of the picture are known, or none has a label
    "bad_regions",  # the regions do not fit the picture
    "control_text",  # the caption or a reference contains special tokens of the model
    "no_score",  # the model's answer contains no number
    "out_of_range",  # the number in the model's answer is outside the scale
    "merged_digits",  # the model writes several digits as one token
    "refused",  # the server of the model refused to answer
    "failed",  # the metric's own code failed; this is a mistake in the code and not in the caption
    "other",  # any other error, including errors read from a file with an unknown kind
]


class CapscopeError(Exception):
    """Base of all errors raised on purpose. The text is one sentence for users."""

    retry_after_s: int | None = None  # seconds after which the same request may succeed; None: waiting does not help


class UserError(CapscopeError):
    """A mistake that the user can correct."""


class BadFile(UserError):
    """A file does not have its expected format. Nothing from this file was imported."""

    def __init__(self, file: Path, problem: str, limit: int = 300) -> None:
        """Take the file and its problem. limit: maximum number of characters of the problem that are shown."""
        self.file, self.problem = file, _one_line(problem, limit)
        super().__init__(f"{file.name}: {self.problem}")


class BadRow(UserError):
    """One row of an import file does not match its format."""

    def __init__(self, file: Path, row: int, field: str, expected: str, found: object) -> None:
        self.file, self.row, self.field, self.expected, self.found = file, row, field, expected, found
        super().__init__(f"{file.name}, row {row}, field {_one_line(field, 120)}: {self.reason}")

    @property
    def reason(self) -> str:
        """The expected and the found value as text, without the position in the file."""
        return f"expected {self.expected}, found {self.shown}"

    @property
    def shown(self) -> str:
        """The wrong value that was found in the row, as a short text."""
        return _shortened(self.found)


class BadRows(BadRow):
    """Several cells of import files do not match their format.

    In the error's text, all rows with the same error share one line.
    """

    def __init__(self, rows: Sequence[BadRow]) -> None:
        first = rows[0]
        super().__init__(first.file, first.row, first.field, first.expected, first.found)
        self.rows = tuple(rows)
        shown = "\n  ".join(listed(same_errors(rows)))
        number = row_count(rows)
        have, these = ("row has", "this row") if number == 1 else ("rows have", "these rows")
        self.args = (f"{number:,} {have} errors, so nothing was imported. Add --skip-bad to skip {these}:\n  {shown}",)


class BadForm(UserError):
    """A file with a study's form (its questions) has invalid content."""

    def __init__(self, file: str, line: int | None, field: str, expected: str, found: object) -> None:
        self.file, self.line, self.field, self.expected, self.found = file, line, field, expected, found
        place = "" if line is None else f", line {line}"
        super().__init__(f"{file}{place}, {_one_line(field, 120)}: expected {expected}, found {_shortened(found)}.")


class BadForms(BadForm):
    """Several values in a file with a study's form are invalid; the text shows the first ten."""

    def __init__(self, forms: Sequence[BadForm]) -> None:
        first = forms[0]
        super().__init__(first.file, first.line, first.field, first.expected, first.found)
        self.args = ("\n".join(map(str, forms[:10])),)


class BadImage(UserError):
    """A picture that cannot be opened safely."""


class MissingImage(BadImage):
    """A picture that was not found."""


class BadMask(UserError):
    """A mask that cannot be read, or that does not fit its picture."""

    def __init__(self, expected: str, found: object) -> None:
        self.expected, self.found = expected, found
        super().__init__(f"mask: expected {expected}, found {_shortened(found)}")


class NotFound(UserError):
    """There is no data set, study, format or metric with the requested name."""

    @classmethod
    def of_names(cls, what: str, name: str, names: Sequence[str]) -> "NotFound":
        """Return an error that lists all names of a kind and the closest one."""
        folded = {known.casefold(): known for known in names}
        close = difflib.get_close_matches(name.strip().casefold(), folded, n=1, cutoff=0.5)
        hint = f" Did you mean {folded[close[0]]}?" if close else ""
        return cls(f"There is no {what} {name!r}. There are: {', '.join(names)}.{hint}")


class AlreadyExists(UserError):
    """The chosen name is already in use."""


class BadSetting(UserError):
    """A setting or option outside its range."""


class BadData(UserError):
    """Numbers that a computation cannot use.

    Examples: different lengths, two ratings for the same answer, points outside the scale.
    """


class NotEnoughSamples(UserError):
    """A random draw requests more samples than there are."""


class Cancelled(CapscopeError):
    """The user cancelled a long job. None of its results are stored."""


class WorkFailed(CapscopeError):
    """Background work ended in an unexpected error. The log contains its traceback."""

    def __init__(self, problem: BaseException) -> None:
        shown = _one_line(": ".join(filter(None, (type(problem).__name__, str(problem)))), 300)
        super().__init__(f"Background work failed ({shown}). The terminal in which Capscope runs shows the details.")


class InvalidRating(CapscopeError):
    """A rating that is not one of the points of its criterion's scale, or not a whole number."""


class NoScore(CapscopeError):
    """A model's answer contains no usable score.

    kind: the reason, which is "no_score", "out_of_range", "merged_digits" or "refused". usage: the answer's tokens, as
    core.costs.Usage.
    """

    def __init__(self, kind: ErrorKind, message: str, usage: Any = None) -> None:
        self.kind, self.usage = kind, usage
        super().__init__(message)


class ChangedMeanwhile(CapscopeError):
    """Another user changed the same settings after they were opened. Nothing was stored."""

    def __init__(self) -> None:
        """Use a fixed message."""
        super().__init__("Not saved, because somebody changed the same settings meanwhile. Load the page again.")


class WentBack(CapscopeError):
    """The database may have been restored to an earlier time, for example from a backup.

    The page that sent the request must first compare its own answers with the database. Until then, none of its answers
    are stored.
    """


class NotYours(CapscopeError):
    """A rater requested an item that is assigned to another rater."""


class Veiled(CapscopeError):
    """A rater requested a picture too early: the study shows it only after an earlier question is answered."""


class NotSignedIn(CapscopeError):
    """The request needs a logged-in rater, but names no rater or a different rater than the one logged in."""


class NotAllowed(CapscopeError):
    """The user is identified but may not do this."""


class LinkOver(CapscopeError):
    """A link that is invalid or has expired."""


class TooManyAttempts(CapscopeError):
    """A person made too many attempts and must wait before the next one."""

    retry_after_s = 60


class Busy(CapscopeError):
    """Too many requests. The same request may succeed later."""

    def __init__(self, text: str, retry_after_s: int) -> None:
        super().__init__(text)
        self.retry_after_s = retry_after_s


class QueueFull(CapscopeError):
    """Too much work is waiting for models."""

    retry_after_s = 10


class StorageUnavailable(CapscopeError):
    """The database cannot be read or written now. Nothing was stored."""

    retry_after_s: int | None = 5


class StorageBusy(StorageUnavailable):
    """Other writers are using the database now. Nothing was stored."""

    def __init__(self, reason: str = "is busy with other writers") -> None:
        super().__init__(f"The server's database {reason}, so nothing was stored. Try again in a few seconds.")


class StorageFull(StorageUnavailable):
    """The disk is full. Nothing was stored."""

    retry_after_s = 30

    def __init__(self) -> None:
        super().__init__("The disk with Capscope's data is full, so nothing was stored. Free some space and try again.")


class FetchFailed(CapscopeError):
    """Published data could not be downloaded. Nothing was imported."""


class Unreachable(FetchFailed):
    """The server does not answer. Requests for other files would fail too."""


class ModelUnavailable(CapscopeError):
    """A model cannot be loaded. The text contains the command to run and the download size."""


class ModelChanged(ModelUnavailable):
    """A server answers with another model than the signature of the scores states."""


def error_kind(error: BadImage | BadMask | NotFound | NoScore) -> ErrorKind:
    """Return the kind of an error, such as "bad_image", for an EvaluationError.

    error: an error that was raised while a sample was scored.
    """
    if isinstance(error, NoScore):
        return error.kind
    if isinstance(error, BadImage):
        return "missing_image" if isinstance(error, MissingImage) else "bad_image"
    return "bad_regions" if isinstance(error, BadMask) else "missing_regions"


def _shortened(value: object, limit: int = 80) -> str:
    return _one_line(repr(value), limit)


def _one_line(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
