"""Check a metric's outcomes before they are stored or shown.

A metric may come from another package. Each of its faults becomes an EvaluationError of one sample, and does not stop
the scoring of other samples. Faults are a score outside the scale, NaN, too few or too many outcomes, an exception, or
a changed signature.
"""

import math
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, get_args

from core.costs import Usage, are_seconds
from core.errors import BadImage, BadMask, CapscopeError, ErrorKind, NoScore, error_kind
from core.storable_text import odd_character
from core.types import EvaluationError, Explanation, Outcome, Sample, Score

if TYPE_CHECKING:
    from core.metrics import Metric

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
    with Caught() as caught:
        text = " ".join(_storable(str(problem)).split())
    if caught.problem is not None:
        text = f"the error text cannot be read ({type(caught.problem).__name__})"
    line = ": ".join(filter(None, (type(problem).__name__, text)))[:LONGEST_WORDS]
    places = traceback.extract_tb(problem.__traceback__)
    return f"{line} ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else line


def checked_outcomes(
    metric: "Metric", signature: str, samples: Sequence[Sample], portion: int | None
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
            given: Iterator[Any] = islice(iter(metric.score(some)), len(some) + (portion is not None))
            if portion is not None:
                held = list(given)
                given = iter(held if len(held) == len(some) else ())
            for outcome in given:
                answered += 1
                yield _checked(metric, signature, outcome, exactly=portion is not None)
        if answered == 0 and len(some) == 1:
            yield _failed(metric, signature, caught.problem)
            answered = 1
        place += answered
        # After a failure, pass one sample, then twice as many each time. So only the sample that fails is lost.
        size = 1 if answered < len(some) else min(2 * size, portion or len(samples))


def _failed(metric: "Metric", signature: str, problem: Exception | None) -> EvaluationError:
    if isinstance(problem, OF_ONE_SAMPLE):
        return EvaluationError(metric.name, signature, error_kind(problem), str(problem))
    if problem is None:
        return _fault(metric, signature, "did not return exactly one result for this caption")
    return _fault(metric, signature, f"failed on this caption: {words_of(problem)}")


def _fault(metric: "Metric", signature: str, what: str, kind: ErrorKind = "failed") -> EvaluationError:
    return EvaluationError(metric.name, signature, kind, _storable(f"{metric.name} {what}."))


def _storable(text: str) -> str:
    """Return a text without NUL and lone surrogates, because databases do not accept these characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _checked(metric: "Metric", signature: str, outcome: Any, exactly: bool) -> Outcome:
    """Return an outcome that can be stored, or an error that explains what is wrong with it.

    exactly: only this signature is allowed. Capscope's own judges may report which model a server really used.
    """
    with Caught() as caught:
        if not isinstance(outcome, Score | EvaluationError) or outcome.metric != metric.name:
            return _fault(metric, signature, f"returned {outcome!r:.100}, not a Score or EvaluationError of its own")
        if exactly and outcome.signature != signature:
            return changed(outcome, signature)
        if not isinstance(outcome.usage, Usage | None) or not are_seconds(outcome.seconds):
            return _fault(metric, signature, f"returned a wrong usage or wrong seconds: {outcome.seconds!r:.80}")
        if isinstance(outcome, Score):
            return _checked_score(metric, signature, outcome)
        if outcome.kind in get_args(ErrorKind) and _is_storable(outcome.message):
            return outcome
        return EvaluationError(metric.name, signature, "other", _storable(f"{outcome.kind}: {outcome.message}"))
    return _failed(metric, signature, caught.problem)


def _checked_score(metric: "Metric", signature: str, score: Score) -> Outcome:
    value, low, high = _number(score.value), *map(_number, score.scale)
    if low is None or high is None or not low < high:
        return _fault(metric, signature, f"returned the scale {score.scale!r:.80} instead of two numbers")
    if value is None:
        return _fault(metric, signature, f"returned {score.value!r:.80} instead of a score", "no_score")
    if not low <= value <= high:
        return _fault(metric, signature, f"returned {value!r}, outside its scale {low:g} to {high:g}", "out_of_range")
    parts = {name: _component(part) for name, part in score.components.items()}
    kept = {name: part for name, part in parts.items() if part is not None}
    if len(kept) < len(parts) or not all(isinstance(name, str) for name in parts):
        return _fault(metric, signature, f"returned components that are not numbers: {score.components!r:.80}")
    if not isinstance(score.explanation, Explanation) or not _are_texts(score.explanation.rationales):
        return _fault(metric, signature, f"returned the explanation {score.explanation!r:.80}, which cannot be stored")
    return replace(score, value=value, scale=(low, high), components=kept)


def changed(outcome: Outcome, signature: str) -> EvaluationError:
    """Return the error for an outcome whose signature differs from the loaded metric's signature."""
    message = f"{outcome.metric} changed its signature from {signature!r:.200} to {outcome.signature!r:.200}. "
    return EvaluationError(outcome.metric, signature, "failed", message + "This result is not stored.")


def _number(value: object) -> float | None:
    """Return a finite number, which may be NumPy's; None for anything else, including booleans."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _component(part: object) -> float | tuple[float, ...] | None:
    if not isinstance(part, tuple | list):
        return _number(part)
    numbers = tuple(number for number in map(_number, part) if number is not None)
    return numbers if len(numbers) == len(part) else None


def _are_texts(given: object) -> bool:
    return isinstance(given, Mapping) and all(_is_storable(text) for pair in given.items() for text in pair)


def _is_storable(text: object) -> bool:
    return isinstance(text, str) and odd_character(text) is None
