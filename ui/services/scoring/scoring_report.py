"""Count the results of a scoring run over a data set while it runs.

The memory that this needs does not grow with the data set.
"""

from collections import Counter
from dataclasses import dataclass, field

from core.costs import Seconds, Usage, summed
from core.errors import ErrorKind
from core.types import Outcome, Score
from storage.data.scores import ANSWERED


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
    left: int  # number of unscored samples that --limit or --shard excluded from this run
    error_kinds: tuple[ErrorCount, ...]  # errors of this run, the most frequent first
    missing_bound: float | None  # largest possible rise of a score by unreported digits; None: all were reported
    usage: Usage | None  # tokens of this run's answers; None: no server was used
    seconds: Seconds  # seconds of each part of the run, with loading


@dataclass(slots=True)
class Tally:
    """Counts of the scores and errors that a scoring run has had so far."""

    scored: int = 0
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    examples: dict[ErrorKind, str] = field(default_factory=dict)  # message of the first error of each kind
    refused: int = 0  # number of samples refused in a row
    last_refusal: str = ""
    missing_bound: float | None = None
    usage: Usage | None = None
    seconds: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Count a score or an error."""
        if outcome.usage is not None:
            self.usage = summed([self.usage, outcome.usage])
        if outcome.seconds:
            self.seconds.update(outcome.seconds)
        if isinstance(outcome, Score):
            self.scored, self.refused = self.scored + 1, 0
            bound = outcome.components.get("missing_bound")
            if isinstance(bound, float):
                self.missing_bound = max(bound, self.missing_bound or 0.0)
            return
        self.errors[outcome.kind] += 1
        self.examples.setdefault(outcome.kind, outcome.message)
        # Errors before a request is sent, such as a missing picture, do not end the series of refused samples
        if outcome.kind in ANSWERED:
            self.refused = 0
        elif outcome.kind == "refused":
            self.refused, self.last_refusal = self.refused + 1, outcome.message

    def report(self, metric: str, dataset: str, signature: str, known: int, left: int, load_s: float) -> ScoringReport:
        """Return the report of the finished run."""
        kinds = tuple(ErrorCount(kind, count, self.examples[kind]) for kind, count in self.errors.most_common())
        counts = self.scored, self.errors.total(), known, left
        seconds = {"load": load_s} | dict(self.seconds) if self.seconds else {}
        return ScoringReport(metric, dataset, signature, *counts, kinds, self.missing_bound, self.usage, seconds)
