"""Evaluator: loads a metric at its first use, and yields outcomes one by one."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from threading import Lock, RLock
from time import perf_counter

from core.captions.ngrams import Corpus
from core.costs import timing
from core.errors import BadSetting, ErrorKind, ModelChanged, ModelUnavailable, NotFound
from core.installation import install_command
from core.metrics import METRICS, Metric
from core.metrics.outcome_checks import Caught, checked_outcomes, words_of
from core.models import ModelSettings
from core.models.vlm import forget_served
from core.types import EvaluationError, Outcome, Sample, Score

NOT_SEEN: tuple[ErrorKind, ...] = (
    *("missing_image", "missing_references", "missing_dataset", "missing_text", "control_text"),
)
# Packages of the models. Installations for rating only lack them.
_PACKAGES = ("torch", "torchvision", "transformers", "spacy", "ultralytics", "safetensors", "tokenizers")


def missing_packages() -> str | None:
    """Return which model packages are missing and how to install them; None if all are installed."""
    absent = [name for name in _PACKAGES if find_spec(name) is None]
    return f"packages that are not installed ({', '.join(absent)}): {install_command('models')}" if absent else None


def metric_named(name: str, metrics: Sequence[type[Metric]] = METRICS) -> type[Metric]:
    """Return the metric with this name, ignoring case. Raises NotFound with all metrics and the closest name."""
    known = {metric.name.casefold(): metric for metric in metrics}
    wanted = name.strip().casefold()
    if wanted in known:
        return known[wanted]
    raise NotFound.of_names("metric", name, [metric.name for metric in metrics])


def _load(metric: type[Metric], settings: ModelSettings) -> tuple[Metric, str]:
    with Caught() as caught:
        loaded = metric.load(settings)
        signature = loaded.signature()
    problem = caught.problem
    if isinstance(problem, ModuleNotFoundError) and (missing := missing_packages()):
        raise ModelUnavailable(f"{metric.name} needs {missing}") from problem
    if problem is not None:
        raise ModelUnavailable(f"{metric.name} cannot be loaded: {words_of(problem)}.") from problem
    if not isinstance(signature, str) or not signature.strip() or not signature.isprintable():
        raise ModelUnavailable(
            f"{metric.name} must return its signature as one line of text, found {signature!r:.120}."
        )
    return loaded, signature


class Evaluator:
    """Loads metrics at their first use, and keeps one loaded metric of each name.

    Threads may share an evaluator. Only one thread at a time uses a model on this computer.
    """

    def __init__(self, metrics: Sequence[type[Metric]] = METRICS) -> None:
        self._metrics = metrics
        self._loaded: dict[str, tuple[ModelSettings, Metric, str]] = {}  # by name, with settings and signature
        self._loading, self._working = RLock(), Lock()

    def kind(self, name: str) -> type[Metric]:
        """Return the class of the metric with this name. Raises NotFound."""
        return metric_named(name, self._metrics)

    def signature(self, name: str, settings: ModelSettings) -> str:
        """Load a metric and return the signature of its outcomes. Raises NotFound, ModelUnavailable, BadSetting."""
        return self._loaded_with(name, settings)[1]

    def _loaded_with(self, name: str, settings: ModelSettings) -> tuple[Metric, str]:
        wanted = self.kind(name)
        if settings.endpoint is not None and not wanted.can_use_server:
            raise BadSetting(f"{wanted.name} runs on this computer and does not use a server. Remove --endpoint.")
        with self._loading:
            loaded = self._loaded.get(wanted.name)
            if loaded is None or loaded[0] != settings:
                loaded = (settings, *_load(wanted, settings))
                self._loaded[wanted.name] = loaded
            return loaded[1:]

    def evaluate(self, name: str, samples: Sequence[Sample], settings: ModelSettings) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily, settings.batch_size at a time.

        A sample that cannot be scored gives one EvaluationError. If the metric's code is faulty, each affected sample
        also gets an EvaluationError, see core.metrics.outcome_checks. Raises NotFound, ModelUnavailable, BadSetting.
        """
        metric, signature = self._loaded_with(name, settings)
        problems = [unjudgeable(metric, signature, sample, settings.corpus) for sample in samples]
        able = [sample for sample, problem in zip(samples, problems, strict=True) if problem is None]
        outcomes = self._outcomes(metric, signature, able, settings)
        for problem in problems:
            yield next(outcomes) if problem is None else problem

    def _outcomes(
        self, metric: Metric, signature: str, samples: Sequence[Sample], settings: ModelSettings
    ) -> Iterator[Outcome]:
        turn = self._working if settings.endpoint is None else nullcontext()  # no lock: servers take parallel requests
        size = max(1, settings.batch_size)
        for start in range(0, len(samples), size):
            try:
                with turn:
                    outcomes = checked_outcomes(metric, signature, samples[start : start + size])
            except ModelChanged:
                with self._loading:  # forget the metric, so that the next request connects again: a new signature
                    if self._loaded.get(metric.name, (settings, None))[1] is metric:
                        del self._loaded[metric.name]
                    if settings.endpoint is not None:
                        forget_served(settings.endpoint)
                raise
            yield from outcomes

    def evaluate_timed(self, name: str, samples: Sequence[Sample], settings: ModelSettings) -> list[Outcome]:
        """Return one outcome per sample, with the seconds of each step of the work. See `evaluate`.

        Time for several samples together is divided equally among them. Outcomes that needed no model have no seconds.
        """
        start = perf_counter()
        with timing() as seconds:
            outcomes = list(self.evaluate(name, samples, settings))
        if settings.endpoint is None:  # time in no step; with a server it is mostly waiting time and not counted
            seconds["other"] = max(0.0, perf_counter() - start - sum(seconds.values()))
        seen = [isinstance(outcome, Score) or outcome.kind not in NOT_SEEN for outcome in outcomes]
        share = {part: took / max(1, sum(seen)) for part, took in seconds.items()}
        pairs = zip(outcomes, seen, strict=True)
        return [replace(outcome, seconds=share) if was_seen else outcome for outcome, was_seen in pairs]

    def evaluate_one(self, name: str, sample: Sample, settings: ModelSettings) -> Outcome:
        """Return the outcome of one sample. See `evaluate`."""
        return next(self.evaluate(name, [sample], settings))


def unjudgeable(metric: Metric, signature: str, sample: Sample, corpus: Corpus | None = None) -> EvaluationError | None:
    """Return an error if a sample cannot be scored, for example because its picture is missing.

    Only problems that can be found without the model are reported. Returns None if there is no such problem.
    """
    kind: ErrorKind | None = None
    message, key = "", sample.key
    texts = (sample.candidate, *(sample.references if metric.requires_references else ()))
    if metric.requires_references and not sample.references:
        kind, message = "missing_references", f"{metric.name} needs references, but {key} has none."
    elif metric.needs_corpus and (corpus is None or not corpus.varies):
        found = "in no data set" if corpus is None else "in a data set with references of one picture"
        kind, message = "missing_dataset", f"{metric.name} needs a data set of several pictures, but {key} is {found}."
    elif not all(text.strip() for text in texts):
        kind, message = "missing_text", f"The caption or a reference of {key} is empty. Add the text."
    elif metric.needs_image and (sample.image.path is None or not sample.image.path.is_file()):
        kind, message = "missing_image", f"No picture file was found for {key} ({sample.image.name})."
    return None if kind is None else EvaluationError(metric.name, signature, kind, message)
