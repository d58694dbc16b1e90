"""Count the results of a scoring run over a data set while it runs.

The memory that this needs does not grow with the data set.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.costs import Seconds, Usage, summed
from core.errors import ErrorKind
from core.types import EvaluationError, Outcome, Score

# kinds of errors in an answer that a server gave
ANSWERED: tuple[ErrorKind, ...] = ("no_score", "out_of_range", "merged_digits")


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """The number of samples with one kind of error."""

    kind: ErrorKind
    count: int
    example: str  # message of the first error


@dataclass(frozen=True, slots=True)
class ScoringReport:
    """The result of a scoring run over a data set."""

    metric: str
    dataset: str
    signature: str
    scored: int
    errors: int
    known: int  # number of samples that already had an outcome with `signature`
    left: int  # number of unscored samples that --limit excluded from this run
    error_kinds: tuple[ErrorCount, ...] = ()  # errors of this run, the most frequent first
    missing_bound: float | None = (
        None  # largest possible rise of a score if the server sent the probabilities of all digits; None: it sent all
    )
    earlier: int = 0  # number of samples in `known` that have an earlier Capscope version's signature
    # Key: signature. Value: number of this run's outcomes; several signatures mean that the model changed.
    signatures: Mapping[str, int] = field(default_factory=dict)
    servers: Mapping[str, int] = field(default_factory=dict)  # key: server's address; value: answers this process got
    usage: Usage | None = None  # tokens of this run's answers; None: no server was used
    seconds: Seconds = field(default_factory=dict)  # seconds of each part of the run, with loading; empty: not measured


@dataclass(slots=True)
class Tally:
    """Counts of the scores and errors that a scoring run has had so far."""

    errors: Counter[ErrorKind] = field(default_factory=Counter)
    examples: dict[ErrorKind, str] = field(default_factory=dict)  # message of the first error of each kind
    refused: int = 0  # number of samples refused in a row
    last_refusal: str = ""
    missing_bound: float | None = None
    signatures: Counter[str] = field(default_factory=Counter)
    usage: Usage | None = None
    seconds: Counter[str] = field(default_factory=Counter)

    @property
    def done(self) -> int:
        """Return the number of scores and errors so far."""
        return self.signatures.total()

    @property
    def scored(self) -> int:
        """Return the number of scores so far."""
        return self.done - self.errors.total()

    @property
    def error_kinds(self) -> tuple[ErrorCount, ...]:
        """Return the number of errors of each kind, most frequent kind first."""
        return tuple(ErrorCount(kind, count, self.examples[kind]) for kind, count in self.errors.most_common())

    def add(self, outcome: Outcome) -> None:
        """Count a score or an error."""
        self.signatures[outcome.signature] += 1
        if outcome.usage is not None:
            self.usage = summed([self.usage, outcome.usage])
        if outcome.seconds:
            self.seconds.update(outcome.seconds)
        if isinstance(outcome, Score):
            self.refused = 0
            bound = outcome.components.get("missing_bound")
            if isinstance(bound, float):
                self.missing_bound = max(bound, self.missing_bound or 0.0)
        else:
            self._add_error(outcome)

    def _add_error(self, error: EvaluationError) -> None:
        self.errors[error.kind] += 1
        self.examples.setdefault(error.kind, error.message)
        if error.kind in ANSWERED:
            self.refused = 0
        # Errors before a request is sent, such as a missing picture, do not end the series of refused samples
        elif error.kind == "refused":
            self.refused += 1
            self.last_refusal = error.message
