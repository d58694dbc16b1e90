"""Score samples on many machines with Ray Data.

Each actor (a worker process) has one loaded metric and runs the same code as a single machine. Only this module imports
Ray, and only if the user chooses Ray. requirements-scale.txt installs it.

Samples and outcomes are sent as bytes. The caller stores the outcomes. If an actor dies, its samples are scored again,
one by one. A sample whose actor dies each time gets an error as its outcome.
"""

import logging
import os
import pickle
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadSetting, CapscopeError, ModelUnavailable, WorkFailed
from core.installation import IMPORT_ROOT, install_command
from core.metrics import METRICS
from core.metrics.evaluator import Evaluator
from core.metrics.outcome_checks import changed
from core.metrics.plugins import known_metrics
from core.models import ModelSettings
from core.types import EvaluationError, Outcome, Sample

if TYPE_CHECKING:
    import pyarrow

AT_A_TIME = 32  # number of samples in one task of an actor; if the actor is killed, they are judged again
TOGETHER, ALONE = 1, 3  # maximum repeats of work after its actor died: first as a batch, then sample by sample
CPUS = 0.5  # number of cores of an actor; with one core each, no core would be left to feed the actors
OBJECT_STORE = 200_000_000  # bytes for objects in a cluster that Capscope starts on this machine
_LOCAL = "local"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Cluster:
    """The Ray cluster (a group of machines) to use, and the number of workers."""

    address: str | None = None  # address of a running cluster, "auto" for this machine's; None: start a cluster
    workers: int = 2  # number of actors; each loads the metric
    gpus_per_worker: float = 0.0
    ship_pictures: bool = False  # True: send pictures too; False: workers open pictures under the same paths


@dataclass(frozen=True, slots=True)
class Order:
    """What the actors (worker processes) must do: the metric and its settings."""

    metric: str
    settings: ModelSettings
    plugin: tuple[str, ...] = ()
    timings: bool = False  # whether outcomes include the seconds of each step


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why an actor (worker process) cannot judge any sample."""

    words: str


NumberedOutcome = tuple[int, Outcome]  # (number of a sample, outcome)


def check_engine(settings: ModelSettings) -> None:
    """Raise BadSetting if Ray is not installed, or if the settings do not work with Ray."""
    if find_spec("ray") is None:
        raise BadSetting(f"--engine ray needs the package Ray. Install it: {install_command('scale')}")
    if settings.endpoint is not None and settings.endpoint.on_change == "new-signature":
        raise BadSetting(
            "--on-change new-signature cannot be used with --engine ray, because its workers share one signature."
        )
    if settings.strict_reference:
        raise BadSetting(
            "--strict-reference cannot be used with --engine ray, because its scores depend on the other samples of "
            "a batch. Remove one of these options."
        )


def judged(
    order: Order, signature: str, samples: Sequence[tuple[int, Sample]], cluster: Cluster
) -> Iterator[list[NumberedOutcome]]:
    """Yield the outcome of each sample once, in any order.

    signature: the metric's settings as text. This signature is used in the errors of samples whose worker process
    ended. Raises ModelUnavailable.
    """
    waiting = dict(samples)
    with _started(cluster):
        for rows, retries in ((AT_A_TIME, TOGETHER), (1, ALONE)):
            for some in _round(order, list(waiting.items()), cluster, rows, retries) if waiting else ():
                for number, _ in some:
                    waiting.pop(number, None)
                yield [(number, _of(order, signature, outcome)) for number, outcome in some]
    ended = EvaluationError(order.metric, signature, "other", _ENDED)
    if waiting:
        yield [(number, ended) for number in waiting]


def _of(order: Order, signature: str, outcome: Outcome) -> Outcome:
    """Return a worker's outcome, or an error if the outcome has another signature than expected.

    Raises ModelUnavailable if the worker's model server uses another model.
    """
    ours = any(metric.name == order.metric for metric in METRICS)
    if ours and order.settings.endpoint is not None and outcome.signature != signature:
        found = (
            f"The server of a worker now answers with another model: {outcome.signature!r:.300} instead of "
            f"{signature!r:.300}."
        )
        raise ModelUnavailable(f"{found} The run stopped. Scores up to this point are stored.")
    return outcome if ours or outcome.signature == signature else changed(outcome, signature)


_ENDED = (
    "The worker process of this sample stopped at every try, with other samples and alone. The sample may need more "
    "memory than is available, or its picture may crash the program that opens it."
)


@contextmanager
def _started(cluster: Cluster) -> Iterator[None]:
    """Connect to a cluster, or start one on this machine. Disconnect at the end."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # Ray reads this when it is imported, and in processes that it starts
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if cluster.address is not None:
        paths = os.pathsep.join(filter(None, (str(IMPORT_ROOT), os.getcwd(), os.environ.get("PYTHONPATH"))))
        ray.init(address=cluster.address, runtime_env={"env_vars": {"PYTHONPATH": paths}}, **quiet)
    else:  # processes started here find modules in the same folders as this process
        cores = max(os.cpu_count() or 1, cluster.workers)
        gpus = {"num_gpus": int(cluster.workers * cluster.gpus_per_worker + 0.999)} if cluster.gpus_per_worker else {}
        here = {"address": _LOCAL, "num_cpus": cores, "object_store_memory": OBJECT_STORE, "include_dashboard": False}
        ray.init(**here, **gpus, **quiet)
    try:
        yield
    finally:
        ray.shutdown()


def _round(
    order: Order, samples: Sequence[tuple[int, Sample]], cluster: Cluster, rows: int, retries: int
) -> Iterator[list[NumberedOutcome]]:
    """Score the samples once on all actors, and yield the outcomes.

    rows: how many samples an actor gets at a time. retries: how often the work on the same samples is repeated after an
    actor died. If a sample has no outcome afterwards, its actor died.
    """
    import ray
    from ray.data import ActorPoolStrategy, DataContext, from_blocks

    context = DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # silent, because outcomes already report dead actors
    context.max_errored_blocks = -1  # continue with the other actors if one died too often
    batches = [_packed(samples[start : start + rows], cluster) for start in range(0, len(samples), rows)]
    actors = min(cluster.workers, len(batches))
    with warnings.catch_warnings():
        # The last two options of map_batches have no public interface yet; Ray's version is pinned.
        warnings.filterwarnings("ignore", "`ray_remote_args` is deprecated")
        data = from_blocks(batches).map_batches(  # not from_arrow, which would start a task and workers for each batch
            ScoreBatch,
            batch_size=None,
            batch_format="pyarrow",
            compute=ActorPoolStrategy(size=actors, max_tasks_in_flight_per_actor=1 if rows == 1 else 2),
            num_cpus=CPUS,
            num_gpus=cluster.gpus_per_worker or None,
            fn_constructor_args=(ray.put(pickle.dumps(order)),),  # as a reference, so that Ray's logs hide the order
            max_restarts=-1,  # unlimited restarts of actors, because max_task_retries limits each task's tries
            max_task_retries=retries,
        )
    for answer in data.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield _unpacked(answer)


def _packed(samples: Sequence[tuple[int, Sample]], cluster: Cluster) -> "pyarrow.Table":
    import pyarrow

    pictures = [_content(sample) if cluster.ship_pictures else None for _, sample in samples]
    return pyarrow.table(
        {
            "number": pyarrow.array([number for number, _ in samples], pyarrow.int64()),
            "sample": pyarrow.array([pickle.dumps(sample) for _, sample in samples], pyarrow.large_binary()),
            "picture": pyarrow.array(pictures, pyarrow.large_binary()),
        }
    )


def _content(sample: Sample) -> bytes | None:
    path = sample.image.path
    return path.read_bytes() if path is not None and path.is_file() else None


def _unpacked(answer: "pyarrow.Table") -> list[NumberedOutcome]:
    """Return the outcomes with their sample numbers.

    Raises ModelUnavailable if the actor reports a Failure.
    """
    found: list[NumberedOutcome] = []
    for number, content in zip(answer["number"].to_pylist(), answer["outcome"].to_pylist(), strict=True):
        outcome = pickle.loads(content)
        if isinstance(outcome, Failure):
            raise ModelUnavailable(f"A worker cannot score samples: {outcome.words}")
        found.append((number, outcome))
    return found


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
        work = self._thread.submit(self._outcomes, rows.to_pydict())  # `work` returns exceptions as values
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
