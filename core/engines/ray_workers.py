"""Score samples on many machines with Ray's actors.

Each actor (a worker process) loads the metric and runs the same code as a single machine. The caller stores the
outcomes. If an actor dies, another one takes its place, and its samples are scored again one by one. A sample whose
actor dies each time gets an error as its outcome. Ray is imported only if the user chooses it.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from core.errors import BadSetting, CapscopeError, ModelUnavailable, WorkFailed
from core.installation import IMPORT_ROOT, install_command
from core.metrics.evaluator import Evaluator
from core.metrics.plugins import known_metrics
from core.models import ModelSettings
from core.types import EvaluationError, Outcome, Sample

AT_A_TIME = 32  # number of samples that an actor gets at a time
TRIES = 3  # how often a single sample is tried on an actor that dies
CPUS = 0.5  # number of cores of an actor; with one core each, no core would be left to feed the actors
ENDED = (
    "The worker process stopped each time: with this sample among others, and with this sample alone. The sample may "
    "need more memory than is available, or its picture may crash the program that opens it."
)

Numbered = tuple[int, Sample]
NumberedOutcome = tuple[int, Outcome]


@dataclass(frozen=True, slots=True)
class Cluster:
    """The Ray cluster to use, and the number of workers."""

    address: str | None = None  # address of a running cluster, or "auto" to find one; None: start one here
    workers: int = 2  # number of actors; each loads the metric
    gpus_per_worker: float = 0.0


class Worker:
    """One actor, which loads the metric when it receives its first samples."""

    def __init__(self, metric: str, settings: ModelSettings, plugin: tuple[str, ...]) -> None:
        self._metric, self._settings = metric, settings
        self._evaluator = Evaluator(known_metrics(plugin))

    def outcomes(self, samples: Sequence[Numbered]) -> list[NumberedOutcome] | str:
        """Return the samples' outcomes, or the reason why no sample can be scored."""
        try:
            outcomes = self._evaluator.evaluate_timed(self._metric, [one for _, one in samples], self._settings)
        except CapscopeError as problem:
            return str(problem)
        except (RuntimeError, OSError, ValueError, TypeError, LookupError, AttributeError) as problem:
            return str(WorkFailed(problem))
        return [(number, outcome) for (number, _), outcome in zip(samples, outcomes, strict=True)]


def judged(
    metric: str,
    signature: str,
    settings: ModelSettings,
    plugin: tuple[str, ...],
    samples: Sequence[Numbered],
    cluster: Cluster,
) -> Iterator[list[NumberedOutcome]]:
    """Yield the outcome of each sample once, in any order. signature: that of all outcomes.

    Raises BadSetting, ModelUnavailable.
    """
    if find_spec("ray") is None:
        raise BadSetting(f"The options workers and ray need the package Ray. Install it: {install_command('scale')}")
    if settings.strict_reference:
        raise BadSetting("The option strict makes scores depend on other samples of a batch, so Ray cannot be used.")
    with _started(cluster):
        import ray

        waiting = [(list(samples[at : at + AT_A_TIME]), 0) for at in range(0, len(samples), AT_A_TIME)][::-1]
        gpus = ray.cluster_resources().get("GPU", 0.0)
        if cluster.gpus_per_worker > gpus and cluster.address is None:
            raise BadSetting(f"This computer has {gpus:g} GPUs, fewer than one worker needs. Change the option gpus.")
        actors = min(cluster.workers, len(waiting))
        if cluster.gpus_per_worker:  # an actor without a free GPU would never begin
            actors = min(actors, max(1, int(gpus / cluster.gpus_per_worker)))
        kind = ray.remote(Worker).options(num_cpus=CPUS, num_gpus=cluster.gpus_per_worker)
        free = [kind.remote(metric, settings, plugin) for _ in range(actors)]
        busy: dict[Any, tuple[Any, list[Numbered], int]] = {}  # value: (actor, samples, failed tries)
        while waiting or busy:
            while waiting and free:
                some, tries = waiting.pop()
                actor = free.pop()
                busy[actor.outcomes.remote(some)] = actor, some, tries
            (done,), _ = ray.wait(list(busy), num_returns=1)
            actor, some, tries = busy.pop(done)
            try:
                outcomes = ray.get(done)
                free.append(actor)
            except ray.exceptions.RayActorError:  # the worker process died
                free.append(kind.remote(metric, settings, plugin))  # a restarting actor would refuse the next samples
                if len(some) > 1:
                    waiting += [([one], 0) for one in some]
                elif tries + 1 < TRIES:
                    waiting.append((some, tries + 1))
                else:
                    yield [(some[0][0], EvaluationError(metric, signature, "other", ENDED))]
                continue
            if isinstance(outcomes, str):
                raise ModelUnavailable(f"A worker cannot score samples: {outcomes}")
            if any(outcome.signature != signature for _, outcome in outcomes):
                raise ModelUnavailable(f"A worker's model differs: {outcomes[0][1].signature}. The run stopped.")
            yield outcomes


@contextmanager
def _started(cluster: Cluster) -> Iterator[None]:
    """Connect to a cluster, or start one on this machine. Disconnect at the end."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # Ray reads this when it is imported, and in processes that it starts
    import ray

    paths = os.pathsep.join(filter(None, (str(IMPORT_ROOT), os.getcwd(), os.environ.get("PYTHONPATH"))))
    where: dict[str, Any] = {"address": cluster.address, "runtime_env": {"env_vars": {"PYTHONPATH": paths}}}
    if cluster.address is None:
        cores = max(os.cpu_count() or 1, cluster.workers)
        where |= {"address": "local", "num_cpus": cores, "include_dashboard": False}
    ray.init(**where, log_to_driver=False, logging_level="ERROR")
    try:
        yield
    finally:
        ray.shutdown()
