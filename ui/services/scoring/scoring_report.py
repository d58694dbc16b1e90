"""Count the results of a scoring run over a data set while it runs.

The memory that this needs does not grow with the data set.
"""

from dataclasses import dataclass, field

from core.costs import Usage, summed
from core.errors import ErrorKind
from core.types import Outcome, Score


@dataclass(slots=True)
class ErrorCount:
    """The number of samples with one kind of error."""

    kind: ErrorKind
    count: int
    example: str  # message of the first error


@dataclass(slots=True)
class ScoringReport:
    """The result of a scoring run over a data set, so far."""

    metric: str
    dataset: str
    signature: str
    scored: int = 0
    errors: int = 0
    known: int = 0  # number of samples that already had an outcome with `signature`
    left: int = 0  # number of unscored samples that --limit or --shard excluded from this run
    error_kinds: list[ErrorCount] = field(default_factory=list)  # errors of this run, the most frequent first
    usage: Usage | None = None  # tokens of this run's answers; None: no server was used
    seconds: dict[str, float] = field(default_factory=dict)  # seconds of each part of the run, with loading

    def add(self, outcome: Outcome) -> None:
        """Count a score or an error."""
        if outcome.usage is not None:
            self.usage = summed([self.usage, outcome.usage])
        for part, took in outcome.seconds.items():
            self.seconds[part] = self.seconds.get(part, 0.0) + took
        if isinstance(outcome, Score):
            self.scored += 1
            return
        self.errors += 1
        same = next((one for one in self.error_kinds if one.kind == outcome.kind), None)
        if same is None:
            self.error_kinds.append(ErrorCount(outcome.kind, 1, outcome.message))
        else:
            same.count += 1
            self.error_kinds.sort(key=lambda one: -one.count)
