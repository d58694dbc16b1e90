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

LONGEST_WORDS = 300  # maximum characters quoted from another package's exception
_OF_ONE_SAMPLE = (BadImage, BadMask, NoScore)


class Caught:
    """Context manager that stores an exception of another package's code instead of raising it.

    Errors that Capscope raises on purpose are not caught. They must end the scoring, because, for example, weights or a
    server are missing. KeyboardInterrupt and SystemExit are not caught either.
    """

    problem: Exception | None = None

    def __enter__(self) -> "Caught":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> bool:
        known = isinstance(problem, CapscopeError) and not isinstance(problem, _OF_ONE_SAMPLE)
        if known or not isinstance(problem, Exception):
            return False
        self.problem = problem
        return True


def words_of(problem: BaseException) -> str:
    """Return an exception as one line: its type, its text, and the file and line that raised it."""
    line = ": ".join(filter(None, (type(problem).__name__, " ".join(_text(problem).split()))))
    line = line if len(line) <= LONGEST_WORDS else f"{line[: LONGEST_WORDS - 1]}…"
    places = traceback.extract_tb(problem.__traceback__)
    return f"{line} ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else line


def _text(problem: BaseException) -> str:
    with Caught() as caught:
        return _storable(str(problem))
    return f"the error text cannot be read ({type(caught.problem).__name__})"


def gated(metric: "Metric", signature: str, samples: Sequence[Sample], portion: int | None) -> Iterator[Outcome]:
    """Yield one checked outcome per sample, in order.

    portion: how many samples the metric gets in one call. The outcomes of a call are yielded only if there are as many
    outcomes as samples. Without this check, a metric that skips a sample would shift the scores of all later samples.
    With None, the metric is trusted, and outcomes are yielded one by one.
    """
    place, size = 0, portion or len(samples)
    while place < len(samples):
        some = samples[place : place + size]
        given = _stream(metric, signature, some) if portion is None else _held(metric, signature, some)
        answered = 0
        for outcome in given:
            yield outcome
            answered += 1
        place += answered
        if answered < len(some) and len(some) == 1:  # cannot happen: one sample always gets an outcome
            raise AssertionError("The check of a metric's outcomes returned no outcome for a sample.")
        # After a failure, pass one sample, then twice as many each time. So only the sample that fails is lost.
        size = 1 if answered < len(some) else min(2 * size, portion or len(samples))


def _held(metric: "Metric", signature: str, samples: Sequence[Sample]) -> list[Outcome]:
    """Return a checked outcome for each sample.

    Returns [] if there are several samples and the metric fails or returns a wrong number of outcomes.
    """
    with Caught() as caught:
        outcomes = list(islice(iter(metric.score(samples)), len(samples) + 1))
    if caught.problem is None and len(outcomes) == len(samples):
        return [_checked(metric, signature, outcome, signature) for outcome in outcomes]
    if len(samples) > 1:
        return []
    if caught.problem is not None:
        return [_raised(metric, signature, caught.problem)]
    number = "no result" if not outcomes else "more than one result"
    return [_fault(metric, signature, f"{metric.name} returned {number} for this caption, not exactly one result.")]


def _stream(metric: "Metric", signature: str, samples: Sequence[Sample]) -> Iterator[Outcome]:
    """Yield checked outcomes until the metric fails.

    If there is only one sample and the metric fails, the outcome is an error.
    """
    answered = 0
    with Caught() as caught:
        for outcome in islice(iter(metric.score(samples)), len(samples)):
            answered += 1
            yield _checked(metric, signature, outcome, None)
    if answered == len(samples) or len(samples) > 1:
        return
    if caught.problem is not None:
        yield _raised(metric, signature, caught.problem)
    else:
        yield _fault(metric, signature, f"{metric.name} returned no result for this caption instead of exactly one.")


def changed(outcome: Outcome, signature: str) -> EvaluationError:
    """Return the error for an outcome whose signature differs from the loaded metric's signature."""
    message = f"{outcome.metric} changed its signature from {signature!r:.200} to {outcome.signature!r:.200}, so this "
    message += "result cannot be compared with the others and is not stored."
    return EvaluationError(outcome.metric, signature, "other", message)


def _raised(metric: "Metric", signature: str, problem: Exception) -> EvaluationError:
    if isinstance(problem, _OF_ONE_SAMPLE):
        return EvaluationError(metric.name, signature, error_kind(problem), str(problem))
    return _fault(metric, signature, f"{metric.name} failed on this caption: {words_of(problem)}.")


def _fault(metric: "Metric", signature: str, message: str, kind: ErrorKind = "other") -> EvaluationError:
    return EvaluationError(metric.name, signature, kind, _storable(message))


def _storable(text: str) -> str:
    """Return a text without NUL and lone surrogates, because databases do not accept these characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _checked(metric: "Metric", signature: str, outcome: object, promised: str | None) -> Outcome:
    """Return an outcome that can be stored, or an error that explains what is wrong with the outcome.

    promised: the only allowed signature. With None, any signature is allowed, because Capscope's own judges may report
    which model a server really used.
    """
    with Caught() as caught:
        return _as_promised(metric, signature, outcome, promised)
    assert caught.problem is not None
    return _fault(
        metric, signature, f"{metric.name} returned a result that cannot be read: {words_of(caught.problem)}."
    )


def _as_promised(metric: "Metric", signature: str, outcome: Any, promised: str | None) -> Outcome:
    if not isinstance(outcome, Score | EvaluationError):
        found = f"{type(outcome).__name__} {outcome!r:.80}"
        return _fault(
            metric, signature, f"{metric.name} returned {found}. It must return a Score or an EvaluationError."
        )
    if outcome.metric != metric.name:
        message = f"{metric.name} returned a result of the metric {outcome.metric!r:.80} instead of its own."
        return _fault(metric, signature, message)
    if outcome.signature != (promised or outcome.signature):
        return changed(outcome, signature)
    if not isinstance(outcome.usage, Usage | None) or not are_seconds(outcome.seconds):
        found = f"{outcome.usage!r:.80} and {outcome.seconds!r:.80}"
        message = (
            f"{metric.name} returned the usage and seconds {found}. The usage must be a Usage or None. The seconds "
            "must be a mapping from names of steps to seconds."
        )
        return _fault(metric, signature, message)
    if isinstance(outcome, EvaluationError):
        known = outcome.kind in get_args(ErrorKind) and _is_storable(outcome.message)
        return outcome if known else _fault(metric, signature, f"{outcome.kind}: {outcome.message}")
    return _checked_score(metric, signature, outcome)


def _checked_score(metric: "Metric", signature: str, score: Score) -> Outcome:
    value, scale = _number(score.value), score.scale
    ends = [_number(end) for end in scale] if isinstance(scale, tuple | list) else []
    if len(ends) != 2 or None in ends or not ends[0] < ends[1]:  # type: ignore[operator]
        message = f"{metric.name} returned the scale {scale!r:.80}. It must return two numbers, the lower number first."
        return _fault(metric, signature, message)
    low, high = float(ends[0] or 0), float(ends[1] or 0)
    if value is None:
        message = f"{metric.name} returned {score.value!r:.80} instead of a score from {low:g} to {high:g}."
        return _fault(metric, signature, message, "no_score")
    if not low <= value <= high:
        message = f"{metric.name} returned {value!r}, which is outside its scale from {low:g} to {high:g}."
        return _fault(metric, signature, message, "out_of_range")
    components = {name: _component(part) for name, part in score.components.items()}
    for name, part in components.items():
        if not isinstance(name, str) or part is None:
            found = f"{score.components[name]!r:.80}"
            message = (
                f"{metric.name} returned the component {name!r:.80} as {found}. It must return a number or a tuple "
                "of numbers."
            )
            return _fault(metric, signature, message)
    if not isinstance(score.explanation, Explanation) or not _are_texts(score.explanation.rationales):
        found = f"{score.explanation!r:.80}"
        return _fault(
            metric,
            signature,
            (
                f"{metric.name} returned the explanation {found}. It must return an Explanation whose texts have "
                "names and do not contain the character NUL."
            ),
        )
    kept = {name: part for name, part in components.items() if part is not None}
    return replace(score, value=value, scale=(low, high), components=kept)


def _number(value: object) -> float | None:
    """Return a finite number, which may be NumPy's; None for anything else, including booleans."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _component(part: object) -> float | tuple[float, ...] | None:
    if not isinstance(part, tuple | list):
        return _number(part)
    numbers = [_number(one) for one in part]
    return None if None in numbers else tuple(number for number in numbers if number is not None)


def _are_texts(given: object) -> bool:
    return isinstance(given, Mapping) and all(_is_storable(text) for pair in given.items() for text in pair)


def _is_storable(text: object) -> bool:
    return isinstance(text, str) and odd_character(text) is None
