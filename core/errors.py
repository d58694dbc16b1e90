"""Every error Capscope raises on purpose. Each says what was expected, what was found and what to do.

CapscopeError
├── UserError                a mistake that its maker can mend; the command line exits with 2
│   ├── BadFile              a file that is not of its format at all: not JSON, not UTF-8, empty, missing
│   ├── BadRow               one row of an import file
│   │   └── BadRows          several rows
│   ├── BadForm              a form's file that says something no form can say; with its line
│   ├── BadImage             a picture that cannot be opened safely
│   │   └── MissingImage     a picture that was not found
│   ├── BadMask              a mask that is no mask, or of another size than its picture
│   ├── NotFound             no data set, study, format or metric of that name
│   ├── AlreadyExists        the name is taken
│   ├── BadSetting           a setting or option out of its range
│   ├── BadData              numbers that a computation cannot take
│   └── NotEnoughSamples     a draw asks for more than there is
├── Cancelled                long work that the one who waited for it has given up
├── InvalidRating            a rating outside its criterion's points
├── NoScore                  a model's answer that holds no score, or none at all; becomes an EvaluationError
├── WorkFailed               work in the background that ended in an error nobody foresaw; its traceback is logged
├── NotYours                 a rater asked for another rater's item; pages answer 404
├── ChangedMeanwhile         settings that somebody else changed after they were opened; pages answer 409
├── WentBack                 the database may have gone back to an earlier time; pages answer 409
├── Veiled                   a picture that the study shows only after the question on the text; pages answer 403
├── NotSignedIn              nobody has said yet who rates, or the browser speaks for somebody else
├── NotAllowed               who asks is known, and may not do this
├── LinkOver                 a link that leads nowhere, or no longer; says why
├── TooManyAttempts          too many wrong return keys; wait
├── Busy                     too many new raters of one address; wait
├── QueueFull                too many requests are waiting; try again later
├── StorageUnavailable       the database cannot be read or written now; pages answer 503
│   ├── StorageBusy          another program, or too many writers, hold the database; pages answer 503
│   └── StorageFull          the disk is full; pages answer 507
└── ModelUnavailable         weights, memory or network are missing; says what to run
    └── ModelChanged         a server answers with another model than before
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

# Why a sample has no score: short, stable words that are stored, printed and counted across metrics.
ErrorKind = Literal[
    "missing_image",  # the picture was not found
    "bad_image",  # the picture cannot be opened safely
    "missing_references",  # the metric compares with references, and there is none
    "missing_text",  # the caption or a reference is empty
    "missing_regions",  # no regions are known of the picture, or none with a label
    "bad_regions",  # the regions do not fit the picture
    "control_text",  # the caption or a reference holds marks that would steer the model
    "no_score",  # the answer holds no number
    "out_of_range",  # the answer holds a number beyond the scale
    "merged_digits",  # the model does not write digits one by one
    "refused",  # the server that runs the model would not answer
    "other",  # what a file says in words of its own
]


class CapscopeError(Exception):
    """Base of all errors raised on purpose; its text is one sentence for people."""

    retry_after_s: int | None = None  # seconds after which the same request may succeed; None: waiting does not help


class UserError(CapscopeError):
    """A mistake that its maker can mend."""


class BadFile(UserError):
    """A file that cannot be read as what it was said to be; nothing of it was taken."""

    def __init__(self, file: Path, problem: str, limit: int = 300) -> None:
        """limit: characters of the problem that are shown."""
        self.file, self.problem = file, _one_line(problem, limit)
        super().__init__(f"{file.name}: {self.problem}")


class BadRow(UserError):
    """One row of an import file is not what its format asks for."""

    def __init__(self, file: Path, row: int, field: str, expected: str, found: object) -> None:
        self.file, self.row, self.field, self.expected, self.found = file, row, field, expected, found
        super().__init__(f"{file.name}, row {row}, field {_one_line(field, 120)}: {self.reason}")

    @property
    def reason(self) -> str:
        """What was expected and what was found, without the place."""
        return f"expected {self.expected}, found {_shortened(self.found)}"


class BadRows(BadRow):
    """Several rows of import files are not what their format asks for; all are named, the first ten in the text."""

    def __init__(self, rows: Sequence[BadRow]) -> None:
        first = rows[0]
        super().__init__(first.file, first.row, first.field, first.expected, first.found)
        self.rows = tuple(rows)
        more = [f"... and {len(rows) - 10:,} more"] if len(rows) > 10 else []
        shown = "\n  ".join([*map(str, rows[:10]), *more])
        self.args = (f"{len(rows):,} bad rows, so nothing was imported (--skip-bad leaves them out):\n  {shown}",)


class BadForm(UserError):
    """A form's file says something that no form can say."""

    def __init__(self, file: str, line: int | None, field: str, expected: str, found: object) -> None:
        self.file, self.line, self.field, self.expected, self.found = file, line, field, expected, found
        place = "" if line is None else f", line {line}"
        super().__init__(f"{file}{place}, {_one_line(field, 120)}: expected {expected}, found {_shortened(found)}.")


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
    """Nothing of that name."""


class AlreadyExists(UserError):
    """The name is taken."""


class BadSetting(UserError):
    """A setting or option out of its range."""


class BadData(UserError):
    """Numbers that a computation cannot take: lengths that differ, a rating given twice, a point off the scale."""


class NotEnoughSamples(UserError):
    """A draw asks for more samples than there are."""


class Cancelled(CapscopeError):
    """Long work was given up by the one who waited for it; nothing of it is kept."""


class WorkFailed(CapscopeError):
    """Work in the background ended in an error that nobody foresaw; its traceback is in the log."""

    def __init__(self, problem: BaseException) -> None:
        shown = _one_line(": ".join(filter(None, (type(problem).__name__, str(problem)))), 300)
        super().__init__(f"The work failed ({shown}). The terminal in which Capscope runs says where.")


class InvalidRating(CapscopeError):
    """A rating outside its criterion's points, or not a whole number."""


class NoScore(CapscopeError):
    """A model's answer holds no score, or there is none: "no_score", "out_of_range", "merged_digits", "refused"."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class ChangedMeanwhile(CapscopeError):
    """Somebody else changed the same settings after they were opened; nothing was stored."""

    def __init__(self, name: str) -> None:
        """name: whoever changed them."""
        super().__init__(f"Not saved: this was changed meanwhile by {name}.")


class WentBack(CapscopeError):
    """The database may have gone back to an earlier time since the page last compared its answers with it."""


class NotYours(CapscopeError):
    """A rater asked for something that is not assigned to them."""


class Veiled(CapscopeError):
    """A rater asked for a picture before answering what is judged without it."""


class NotSignedIn(CapscopeError):
    """A rater is asked for, and nobody has said who it is, or the request names somebody else."""


class NotAllowed(CapscopeError):
    """Who asks is known, and may not do this."""


class LinkOver(CapscopeError):
    """A link that leads nowhere, or no longer."""


class TooManyAttempts(CapscopeError):
    """Somebody has tried too often; waiting helps."""

    retry_after_s = 60


class Busy(CapscopeError):
    """More requests come than are let through; the same request may succeed later."""

    def __init__(self, text: str, retry_after_s: int) -> None:
        super().__init__(text)
        self.retry_after_s = retry_after_s


class QueueFull(CapscopeError):
    """So much work waits for models that no more is taken; waiting helps."""

    retry_after_s = 10


class StorageUnavailable(CapscopeError):
    """The database cannot be read or written now; what was to be stored is not."""

    retry_after_s: int | None = 5


class StorageBusy(StorageUnavailable):
    """The database is being written to by others; what was to be stored is not."""

    def __init__(self, reason: str = "is busy with other writers") -> None:
        super().__init__(f"The server's database {reason}, so nothing was stored. Try again in a few seconds.")


class StorageFull(StorageUnavailable):
    """The disk has no room left; nothing was stored."""

    retry_after_s = 30

    def __init__(self) -> None:
        super().__init__(
            "The disk with Capscope's data is full, so nothing was stored; it works again once there is room."
        )


class ModelUnavailable(CapscopeError):
    """A model cannot be loaded here; the text says what to run and how large it is."""


class ModelChanged(ModelUnavailable):
    """A server answers with another model than the one that signatures name."""


def error_kind(error: BadImage | BadMask | NotFound | NoScore) -> ErrorKind:
    """Return why a sample has no score, from what was raised while it was judged."""
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
