"""Check a metric's outcomes before they are stored or shown.

A metric may come from another package. Each of its faults becomes an EvaluationError of one sample, and does not stop
the scoring of other samples. Faults are a score outside the scale, NaN, too few or too many outcomes, an exception, or
a changed signature.
"""

import math
import traceback
from collections.abc import Iterator, Sequence
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
    text = type(problem).__name__
    with Caught():  # the exception's own code may fail
        text = ": ".join(filter(None, (text, " ".join(storable(str(problem)).split()))))[:LONGEST_WORDS]
    places = traceback.extract_tb(problem.__traceback__)
    return f"{text} ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else text


def storable(text: str) -> str:
    """Return a text without NUL and lone surrogates, because databases do not accept these characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def checked_outcomes(
    metric: Metric, signature: str, samples: Sequence[Sample], portion: int | None
) -> Iterator[Outcome]:
    """Yield one checked outcome per sample, in order.

    portion: how many samples a metric of another package gets in one call. Its outcomes are used only if there are as
    many as samples, because a metric that skips a sample would shift the scores of all later samples. None: a metric of
    Capscope, whose outcomes are yielded one by one.
    """
    place, size = 0, portion or len(samples)
    while place < len(samples):
        some, answered = samples[place : place + size], 0
        with Caught() as caught:
            given: Iterator[Any] = iter(metric.score(some))
            if portion is not None:
                held = list(islice(given, len(some) + 1))
                given = iter(held if len(held) == len(some) else ())
            for outcome in islice(given, len(some)):
                answered += 1
                yield _checked(metric, signature, outcome, is_foreign=portion is not None)
        if answered == 0 and len(some) == 1:
            yield _failed(metric, signature, caught.problem)
            answered = 1
        place += answered
        # After a failure, pass one sample, then twice as many each time. So only the sample that fails is lost.
        size = 1 if answered < len(some) else min(2 * size, portion or len(samples))


def _failed(metric: Metric, signature: str, problem: Exception | None) -> EvaluationError:
    if isinstance(problem, OF_ONE_SAMPLE):
        return EvaluationError(metric.name, signature, error_kind(problem), str(problem))
    if problem is None:
        return _fault(metric, signature, "did not return exactly one result for this caption")
    return _fault(metric, signature, f"failed on this caption: {words_of(problem)}")


def _fault(metric: Metric, signature: str, what: str, kind: ErrorKind = "failed") -> EvaluationError:
    return EvaluationError(metric.name, signature, kind, storable(f"{metric.name} {what}."))


def _checked(metric: Metric, signature: str, outcome: Any, is_foreign: bool) -> Outcome:
    """Return an outcome that can be stored, or an error that explains what is wrong with it.

    is_foreign: only this signature is allowed. Capscope's own judges may report which model a server really used.
    """
    with Caught() as caught:
        if not isinstance(outcome, Score | EvaluationError) or outcome.metric != metric.name:
            return _fault(metric, signature, f"returned {outcome!r:.100}, not a Score or EvaluationError of its own")
        if is_foreign and outcome.signature != signature:
            return _fault(
                metric, signature, f"changed its signature from {signature!r:.99} to {outcome.signature!r:.99}"
            )
        if isinstance(outcome, EvaluationError):
            is_known = outcome.kind in get_args(ErrorKind)
            message = storable(outcome.message if is_known else f"{outcome.kind}: {outcome.message}")
            return replace(outcome, kind=outcome.kind if is_known else "other", message=message)
        low, high, value = *map(_finite, outcome.scale), _finite(outcome.value)
        if not low < high:
            return _fault(metric, signature, f"returned the scale {outcome.scale!r:.80} instead of two numbers")
        if math.isnan(value):
            return _fault(metric, signature, f"returned {outcome.value!r:.80} instead of a score", "no_score")
        if not low <= value <= high:
            return _fault(
                metric, signature, f"returned {value!r}, outside its scale {low:g} to {high:g}", "out_of_range"
            )
        parts = {name: _component(part) for name, part in outcome.components.items()}
        if any(
            math.isnan(number) for part in parts.values() for number in (part if isinstance(part, tuple) else (part,))
        ):
            return _fault(metric, signature, f"returned components that are not numbers: {outcome.components!r:.80}")
        texts = {storable(name): storable(text) for name, text in outcome.explanation.rationales.items()}
        explanation = replace(outcome.explanation, rationales=texts) if texts else outcome.explanation
        return replace(outcome, value=value, scale=(low, high), components=parts, explanation=explanation)
    return _failed(metric, signature, caught.problem)


def _component(part: object) -> float | tuple[float, ...]:
    return tuple(map(_finite, part)) if isinstance(part, tuple | list) else _finite(part)


def _finite(value: object) -> float:
    """Return a finite number, which may be NumPy's, as a float; NaN for anything else, including booleans."""
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    return number if math.isfinite(number) else math.nan
