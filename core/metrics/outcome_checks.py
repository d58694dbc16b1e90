"""Score samples with a metric, and check its outcomes before they are stored or shown.

A metric may come from another package. Each of its faults becomes an EvaluationError of one sample, and does not stop
the scoring of other samples. Faults are a score outside the scale, NaN, too few or too many outcomes, an exception, or
a changed signature.
"""

import math
import traceback
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from pathlib import Path
from types import TracebackType
from typing import Any, get_args

from core.errors import BadImage, BadMask, CapscopeError, ErrorKind, NoScore, error_kind
from core.metrics.base import Metric
from core.types import EvaluationError, Outcome, Sample, Score

LONGEST_WORDS = 300  # maximum characters quoted from an exception
OF_ONE_SAMPLE = (BadImage, BadMask, NoScore)


class Caught:
    """Context manager that stores an exception of a metric's code instead of raising it.

    Errors that Capscope raises on purpose are not caught, because they must end the scoring: for example, a server is
    missing. KeyboardInterrupt and SystemExit are not caught either.
    """

    problem: Exception | None = None

    def __enter__(self) -> "Caught":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> bool:
        meant = isinstance(problem, CapscopeError) and not isinstance(problem, OF_ONE_SAMPLE)
        if meant or not isinstance(problem, Exception):
            return False
        self.problem = problem
        return True


def words_of(problem: BaseException) -> str:
    """Return an exception as one line: its type, its text, and the file and line that raised it."""
    text = ": ".join(filter(None, (type(problem).__name__, " ".join(str(problem).split()))))[:LONGEST_WORDS]
    places = traceback.extract_tb(problem.__traceback__)
    return f"{text} ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else text


def storable(text: str) -> str:
    """Return a text without NUL and lone surrogates, because databases do not accept these characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def checked_outcomes(metric: Metric, signature: str, samples: Sequence[Sample]) -> list[Outcome]:
    """Return one checked outcome per sample, in order.

    If the metric's code fails, or returns more or fewer outcomes than there are samples, each sample is scored alone.
    So only the sample that fails is lost, and no sample gets the score of another one.
    """
    with Caught() as caught:
        given = list(islice(metric.score(samples), len(samples) + 1))
        if len(given) == len(samples):
            return [_checked(metric, signature, outcome) for outcome in given]
    if len(samples) > 1:
        return [outcome for sample in samples for outcome in checked_outcomes(metric, signature, [sample])]
    problem = caught.problem
    if isinstance(problem, OF_ONE_SAMPLE):
        return [EvaluationError(metric.name, signature, error_kind(problem), str(problem))]
    if problem is None:
        return [_fault(metric, signature, "did not return exactly one result for this caption")]
    return [_fault(metric, signature, f"failed on this caption: {words_of(problem)}")]


def _fault(metric: Metric, signature: str, what: str) -> EvaluationError:
    return EvaluationError(metric.name, signature, "failed", storable(f"{metric.name} {what}."))


def _checked(metric: Metric, signature: str, outcome: Any) -> Outcome:
    """Return an outcome that can be stored, or an error that explains what is wrong with it."""
    if not isinstance(outcome, Score | EvaluationError) or outcome.metric != metric.name:
        return _fault(metric, signature, f"returned {outcome!r:.100}, not a Score or EvaluationError of its own")
    if outcome.signature != signature:
        change = f"changed its signature from {signature!r:.99} to {outcome.signature!r:.99}"
        return _fault(metric, signature, change)
    if isinstance(outcome, EvaluationError):
        if outcome.kind in get_args(ErrorKind):
            return replace(outcome, message=storable(outcome.message))
        return replace(outcome, kind="other", message=storable(f"{outcome.kind}: {outcome.message}"))
    low, high, value = *map(_finite, outcome.scale), _finite(outcome.value)
    if not low < high:
        return _fault(metric, signature, f"returned the scale {outcome.scale!r:.80} instead of two numbers")
    if math.isnan(value):
        return _fault(metric, signature, f"returned {outcome.value!r:.80} instead of a score")
    if not low <= value <= high:
        return _fault(metric, signature, f"returned {value!r}, outside its scale {low:g} to {high:g}")
    parts = {name: _component(part) for name, part in outcome.components.items()}
    if any(math.isnan(part) if isinstance(part, float) else any(map(math.isnan, part)) for part in parts.values()):
        return _fault(metric, signature, f"returned components that are not numbers: {outcome.components!r:.80}")
    texts = {storable(name): storable(text) for name, text in outcome.explanation.rationales.items()}
    explanation = replace(outcome.explanation, rationales=texts) if texts else outcome.explanation
    return replace(outcome, value=value, scale=(low, high), components=parts, explanation=explanation)


def _component(part: object) -> float | tuple[float, ...]:
    return tuple(map(_finite, part)) if isinstance(part, tuple | list) else _finite(part)


def _finite(value: object) -> float:
    """Return a finite number, which may be NumPy's, as a float; NaN for anything else, including booleans."""
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    return number if math.isfinite(number) else math.nan
