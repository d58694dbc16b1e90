"""One worker of Ray: load a metric, and score the samples that it receives."""

import logging
import pickle
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import CapscopeError, WorkFailed
from core.metrics.evaluator import Evaluator
from core.metrics.plugins import known_metrics
from core.models import ModelSettings
from core.types import Outcome, Sample

if TYPE_CHECKING:
    import pyarrow

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Order:
    """What the actors (worker processes) must do: the metric and its settings."""

    metric: str
    settings: ModelSettings
    plugin: tuple[str, ...] = ()
    timings: bool = False  # whether each outcome includes the seconds that each step of the scoring took


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why an actor (worker process) cannot judge any sample."""

    words: str


class ScoreBatch:
    """One actor, which loads the metric when it receives its first samples."""

    def __init__(self, order: Any) -> None:
        """Take a Ray reference to a pickled Order."""
        import ray

        self._order: Order = pickle.loads(ray.get(order))
        self._evaluator = Evaluator(known_metrics(self._order.plugin))
        self._thread = ThreadPoolExecutor(1)

    def __call__(self, rows: "pyarrow.Table") -> "pyarrow.Table":
        """Return an outcome for each row (sample).

        An error that concerns no particular sample becomes the outcome of all rows. The main process raises this error
        when it receives the rows.
        """
        import pyarrow

        numbers = rows["number"].to_pylist()
        work = self._thread.submit(self._outcomes, rows.to_pydict())
        problem = work.exception()
        outcomes = work.result() if problem is None else [_failure(problem)] * len(numbers)
        content = pyarrow.array([pickle.dumps(one) for one in outcomes], pyarrow.large_binary())
        return pyarrow.table({"number": pyarrow.array(numbers, pyarrow.int64()), "outcome": content})

    def _outcomes(self, rows: Mapping[str, Sequence[Any]]) -> Sequence[Outcome]:
        with tempfile.TemporaryDirectory(prefix="capscope-") as folder:
            pairs = enumerate(zip(rows["sample"], rows["picture"], strict=True))
            samples = [_opened(pickle.loads(sample), content, Path(folder), n) for n, (sample, content) in pairs]
            evaluate = self._evaluator.evaluate_timed if self._order.timings else self._evaluator.evaluate
            return list(evaluate(self._order.metric, samples, self._order.settings))


def _failure(problem: BaseException) -> Failure:
    if isinstance(problem, CapscopeError):
        return Failure(str(problem))
    _log.error("A worker cannot score samples", exc_info=problem)  # the message goes to Ray's logs
    return Failure(str(WorkFailed(problem)))


def _opened(sample: Sample, picture: bytes | None, folder: Path, number: int) -> Sample:
    """Return a sample whose picture is a file on this machine.

    If the picture was sent, it is written to a file first. Otherwise the sample is unchanged.
    """
    if picture is None:
        return sample
    path = folder / f"{number}{Path(sample.image.name).suffix}"
    path.write_bytes(picture)
    return replace(sample, image=replace(sample.image, path=path))
