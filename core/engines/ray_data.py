"""Score samples on many machines with Ray Data.

Each actor (a worker process, core.engines.ray_actor) has one loaded metric and runs the same code as a single machine.
Only this module and core.engines.ray_actor import Ray, and only if the user chooses Ray. the extra `scale`
installs it.

Samples and outcomes are sent as bytes. The caller stores the outcomes. If an actor dies, its samples are scored again,
one by one. A sample whose actor dies each time gets an error as its outcome.
"""

import logging
import os
import pickle
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from core.engines.ray_actor import Failure, Order, ScoreBatch
from core.errors import BadSetting, ModelUnavailable
from core.installation import IMPORT_ROOT, install_command
from core.metrics import METRICS
from core.metrics.outcome_checks import changed
from core.models import ModelSettings
from core.types import EvaluationError, Outcome, Sample

if TYPE_CHECKING:
    import pyarrow

AT_A_TIME = 32  # number of samples that an actor gets at a time; if the actor is killed, all of them are judged again
TOGETHER, ALONE = 1, 3  # maximum retries after an actor died: of a whole batch, and later of each sample alone
CPUS = 0.5  # number of cores of an actor; with one core each, no core would be left to feed the actors
OBJECT_STORE = 200_000_000  # bytes for objects in a cluster that Capscope starts on this machine
_LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Cluster:
    """The Ray cluster (a group of machines) to use, and the number of workers."""

    address: str | None = None  # address of a running cluster, or "auto" to find one on this machine; None: start one
    workers: int = 2  # number of actors; each loads the metric
    gpus_per_worker: float = 0.0
    ship_pictures: bool = False  # True: send pictures too; False: workers open pictures under the same paths


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
        problem = (
            f"The server of a worker now answers with another model: {outcome.signature!r:.300} instead of "
            f"{signature!r:.300}."
        )
        raise ModelUnavailable(f"{problem} The run stopped. Scores up to this point are stored.")
    return outcome if ours or outcome.signature == signature else changed(outcome, signature)


_ENDED = (
    "The worker process stopped each time: with this sample among others, and with this sample alone. The sample may "
    "need more memory than is available, or its picture may crash the program that opens it."
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
    else:  # actors on this machine already find modules in the same folders as this process
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
    """Score the samples in one round on all actors, and yield the outcomes.

    rows: how many samples an actor (worker process) gets at a time. retries: how often the same samples are tried again
    if their actor died. A sample whose actor also died at the last try has no outcome.
    """
    import ray
    from ray.data import ActorPoolStrategy, DataContext, from_blocks

    context = DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # silent, because outcomes already report dead actors
    context.max_errored_blocks = -1  # if one actor has died too often, continue with the other actors
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
            fn_constructor_args=(ray.put(pickle.dumps(order)),),  # ray.put keeps the settings out of Ray's logs
            max_restarts=-1,  # no limit of restarts is needed: max_task_retries limits how often a task is tried
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
    outcomes: list[NumberedOutcome] = []
    for number, content in zip(answer["number"].to_pylist(), answer["outcome"].to_pylist(), strict=True):
        outcome = pickle.loads(content)
        if isinstance(outcome, Failure):
            raise ModelUnavailable(f"A worker cannot score samples: {outcome.words}")
        outcomes.append((number, outcome))
    return outcomes
