"""Evaluator: loads a metric when it is first used, and yields outcomes one by one."""

import difflib
from collections.abc import Hashable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from threading import Lock, RLock
from time import perf_counter
from typing import Any

from core.costs import timing
from core.errors import BadSetting, ErrorKind, ModelChanged, ModelUnavailable, NotFound
from core.installation import install_command
from core.metrics import METRICS, SERVED, Metric
from core.metrics.gate import Caught, gated, words_of
from core.models import ModelSettings
from core.models.vlm.load import forget_served
from core.types import EvaluationError, Outcome, Sample, Score

NOT_SEEN: tuple[ErrorKind, ...] = ("missing_image", "missing_references", "missing_text", "control_text")
# What models need; an installation for rating alone (requirements-rating.txt) leaves it out.
_PACKAGES = ("torch", "torchvision", "transformers", "spacy", "ultralytics", "safetensors", "tokenizers")


def missing_packages() -> str | None:
    """Return which packages that models need are not installed, and what to do; None where all are."""
    absent = [name for name in _PACKAGES if find_spec(name) is None]
    return f"packages that are not installed ({', '.join(absent)}): {install_command('models')}" if absent else None


def metric_named(name: str, metrics: Sequence[type[Metric]] = METRICS) -> type[Metric]:
    """Return the metric of that name, in any case. Raises NotFound, naming the closest one and all there are."""
    known = {metric.name.casefold(): metric for metric in metrics}
    wanted = name.strip().casefold()
    if wanted in known:
        return known[wanted]
    close = difflib.get_close_matches(wanted, known, n=1, cutoff=0.5)
    hint = f" Did you mean {known[close[0]].name}?" if close else ""
    raise NotFound(f"There is no metric {name!r}; there are: {', '.join(metric.name for metric in metrics)}.{hint}")


def _load(metric: type[Metric], settings: ModelSettings) -> tuple[Metric, str]:
    """Return a loaded metric with its signature. Raises ModelUnavailable, BadSetting."""
    with Caught() as caught:
        loaded = metric.load(settings)
        signature, again = loaded.signature(), loaded.signature()
    problem = caught.problem
    if isinstance(problem, ModuleNotFoundError) and (missing := missing_packages()):
        raise ModelUnavailable(f"{metric.name} needs {missing}") from problem
    if problem is not None:
        raise ModelUnavailable(f"{metric.name} cannot be loaded: {words_of(problem)}.") from problem
    if not isinstance(signature, str) or not signature.strip() or not signature.isprintable():
        raise ModelUnavailable(f"{metric.name} gave the signature {signature!r:.80}; expected one line of text.")
    if signature != again:
        told = f"{metric.name} changes its signature from one call to the next ({signature!r:.120}, {again!r:.120}), "
        raise ModelUnavailable(
            told + "so its scores could not be compared. A signature names settings, never the time."
        )
    return loaded, signature


class Evaluator:
    """Keeps one loaded metric of each name; may be shared by threads, which take turns at the models."""

    def __init__(self, metrics: Sequence[type[Metric]] = METRICS) -> None:
        self._metrics = metrics
        self._loaded: dict[str, tuple[Hashable, Metric, str]] = {}  # settings, metric, signature
        self._loading, self._working = RLock(), Lock()

    def kind(self, name: str) -> type[Metric]:
        """Return the metric of that name, not loaded. Raises NotFound."""
        return metric_named(name, self._metrics)

    def metric(self, name: str, settings: ModelSettings) -> Metric:
        """Return a metric, loaded with these settings. Raises NotFound, ModelUnavailable, BadSetting."""
        return self._loaded_with(name, settings)[0]

    def signature(self, name: str, settings: ModelSettings) -> str:
        """Return the signature of a metric's outcomes, loading the metric. Raises as metric."""
        return self._loaded_with(name, settings)[1]

    def servers(self, name: str, settings: ModelSettings) -> dict[str, int]:
        """Return how many answers each server gave so far, by address; nothing for models of this computer."""
        if settings.endpoint is None:
            return {}
        served: Any = self.metric(name, settings)
        return dict(served.vlm.server.answered)

    def earlier_signature(self, name: str, settings: ModelSettings) -> str | None:
        """Return the signature that an earlier version gave the same outcomes; None where that is today's."""
        metric, signature = self._loaded_with(name, settings)
        if settings.endpoint is None or not isinstance(metric, SERVED):
            return None
        from core.models.vlm.endpoint import EndpointVlm  # httpx2 loads here, and no earlier

        served: Any = metric
        assert isinstance(served.vlm, EndpointVlm)
        earlier: str = replace(served, vlm=served.vlm.signed_as_before()).signature()
        return earlier if earlier != signature else None

    def _loaded_with(self, name: str, settings: ModelSettings) -> tuple[Metric, str]:
        wanted = self.kind(name)
        if settings.endpoint is not None and not issubclass(wanted, SERVED):
            raise BadSetting(f"{wanted.name} runs here and asks no server; leave --endpoint out.")
        with self._loading:
            key = _key(settings)
            known = self._loaded.get(wanted.name)
            if known is None or known[0] != key:
                known = (key, *_load(wanted, settings))
                self._loaded[wanted.name] = known
            return known[1:]

    def evaluate(self, name: str, samples: Sequence[Sample], settings: ModelSettings) -> Iterator[Outcome]:
        """Yield one outcome a sample, in order, lazily. A sample that cannot be judged costs one EvaluationError.

        So does each fault of a metric, see core.metrics.gate. Metrics of other packages are asked about batch_size
        samples at a time. Raises NotFound, ModelUnavailable, BadSetting.
        """
        metric, signature = self._loaded_with(name, settings)
        problems = [unjudgeable(metric, signature, sample) for sample in samples]
        able = [sample for sample, problem in zip(samples, problems, strict=True) if problem is None]
        outcomes = gated(metric, signature, able, None if type(metric) in METRICS else max(1, settings.batch_size))
        turn = self._working if settings.endpoint is None else nullcontext()  # a server takes many at a time
        for problem in problems:
            if problem is not None:
                yield problem
                continue
            with turn:
                outcome = self._next(outcomes, metric, settings)
            yield outcome

    def _next(self, outcomes: Iterator[Outcome], metric: Metric, settings: ModelSettings) -> Outcome:
        try:
            return next(outcomes)
        except ModelChanged:
            with self._loading:  # whoever asks next connects anew and gets a new signature
                if self._loaded.get(metric.name, ("", None))[1] is metric:
                    del self._loaded[metric.name]
                if settings.endpoint is not None:
                    forget_served(settings.endpoint)
            raise

    def evaluate_timed(self, name: str, samples: Sequence[Sample], settings: ModelSettings) -> list[Outcome]:
        """Return one outcome a sample, with its seconds by part; see evaluate.

        What several samples took together is shared equally. Outcomes of samples that no model saw have no seconds.
        """
        start = perf_counter()
        with timing() as seconds:
            outcomes = list(self.evaluate(name, samples, settings))
        if settings.endpoint is None:  # else the rest is waiting for a turn
            seconds["other"] = max(0.0, perf_counter() - start - sum(seconds.values()))
        seen = [isinstance(outcome, Score) or outcome.kind not in NOT_SEEN for outcome in outcomes]
        share = {part: took / max(1, sum(seen)) for part, took in seconds.items()}
        pairs = zip(outcomes, seen, strict=True)
        return [replace(outcome, seconds=share) if was_seen else outcome for outcome, was_seen in pairs]

    def evaluate_one(self, name: str, sample: Sample, settings: ModelSettings) -> Outcome:
        """Return the outcome of one sample; see evaluate."""
        return next(self.evaluate(name, [sample], settings))


def unjudgeable(metric: Metric, signature: str, sample: Sample) -> EvaluationError | None:
    """Return why a sample cannot be judged, as far as that can be said before a model is asked."""
    kind, message = _lacks(metric, sample)
    return None if kind is None else EvaluationError(metric.name, signature, kind, message)


def _lacks(metric: Metric, sample: Sample) -> tuple[ErrorKind | None, str]:
    if metric.requires_references and not sample.references:
        return "missing_references", f"{metric.name} compares with references, and {sample.key} has none."
    texts = (sample.candidate, *(sample.references if metric.requires_references else ()))
    if not all(text.strip() for text in texts):
        return "missing_text", f"Expected words, found an empty caption or reference of {sample.key}."
    if metric.needs_image and (sample.image.path is None or not sample.image.path.is_file()):
        return "missing_image", f"Expected a picture for {sample.key}, found no file for {sample.image.name}."
    return None, ""


def _key(settings: ModelSettings) -> Hashable:
    options = tuple(sorted(settings.options.items()))
    return tuple(
        options if name == "options" else getattr(settings, name) for name in ModelSettings.__dataclass_fields__
    )
