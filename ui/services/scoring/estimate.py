"""What a run of `score` will take: samples, requests, tokens, hours. Nothing is sent unless it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.costs import Usage
from core.errors import BadData
from core.long_work.progress import Progress, no_progress
from core.metrics import SERVED, Metric
from core.metrics.evaluator import Evaluator
from core.metrics.general_judge import ASPECTS
from core.models import Endpoint, ModelSettings
from core.statistics.extrapolation import RequestSize, extrapolated, spread
from core.types import Sample
from storage.types import StoredCost
from ui.services.scoring.score_runs import ScoringPlan, run_scoring
from ui.services.scoring.scoring_report import ScoringReport
from ui.services.workplace import Workplace

NO_SIGNATURE = ""  # of no score: every sample is without it


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take. None: not known, because nothing like it was measured."""

    metric: str
    dataset: str
    samples: int  # that will be judged
    requests: int | None  # that a server will get; None: no server is asked
    measured: int = 0  # stored outcomes that the estimate is from
    signature: str | None = None  # of these
    usage: Usage | None = None  # expected tokens
    margin: float | None = None  # twice the standard error, as a share of the tokens
    hours: float | None = None
    parallel: int = 1  # requests at a time that the hours are for, to all addresses together
    paced: bool = False  # whether a limit of requests or tokens a minute decides the hours
    asked: ScoringReport | None = None  # what was really asked for this estimate


def estimate_unasked(
    workplace: Workplace, metric: type[Metric], dataset: str, settings: ModelSettings, limit: int | None = None
) -> Estimate:
    """Estimate from stored outcomes alone: nothing is sent, and no model is loaded. Raises NotFound."""
    scores = workplace.repository.scores
    costs = scores.costs(dataset)
    like = [cost.signature for cost in costs if _is_like(cost, metric, settings)]
    signature = like[-1] if like else None  # the newest
    wanted = scores.unscored(dataset, signature or NO_SIGNATURE, limit=limit)
    same = [cost for cost in costs if cost.signature == signature]
    return _estimate(metric, dataset, settings, [request_size(one.sample, metric) for one in wanted], same)


def _is_like(cost: StoredCost, metric: type[Metric], settings: ModelSettings) -> bool:
    """Whether an outcome cost what those of a run will: the same metric, server or not, explained or not."""
    served, named = settings.endpoint is not None, settings.endpoint.model if settings.endpoint else settings.model
    is_same = cost.metric == metric.name and (cost.usage is not None) == served
    return is_same and cost.explained == settings.explain and (named is None or named in cost.signature)


def estimate_asking(
    workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, count: int, progress: Progress = no_progress
) -> Estimate:
    """Judge some of the planned samples, store their outcomes, and estimate what the others will take.

    Raises ModelUnavailable, and BadData where none of the samples could be judged.
    """
    sizes = [request_size(one.sample, evaluator.kind(plan.metric)) for one in plan.wanted]
    chosen = set(spread(sizes, count))
    some = plan.wanted.only(chosen)
    rest = [size for place, size in enumerate(sizes) if place not in chosen]
    asked = run_scoring(workplace, evaluator, replace(plan, wanted=some, timings=True), progress)
    if some and not asked.scored and all(errors.kind == "refused" for errors in asked.error_kinds):
        raise BadData(f"None of {len(some)} samples was judged, e.g.: {asked.error_kinds[0].example}")
    costs = [
        one
        for one in workplace.repository.scores.costs(plan.dataset)
        if one.signature in {plan.signature, *asked.signatures}
    ]
    found = _estimate(evaluator.kind(plan.metric), plan.dataset, plan.settings, rest, costs)
    return replace(found, asked=asked)


def _estimate(
    metric: type[Metric],
    dataset: str,
    settings: ModelSettings,
    wanted: Sequence[RequestSize],
    costs: Sequence[StoredCost],
) -> Estimate:
    server = settings.endpoint
    at_a_time = server.parallel * len(server.urls) if server else 1
    found = Estimate(metric.name, dataset, len(wanted), None, parallel=at_a_time)
    if server is not None and issubclass(metric, SERVED):
        found = replace(found, requests=len(wanted) * _turns(settings))
    if costs:
        found = _measured(found, metric, wanted, costs)
    return found if server is None else _paced(found, server)


def _measured(
    found: Estimate, metric: type[Metric], wanted: Sequence[RequestSize], costs: Sequence[StoredCost]
) -> Estimate:
    """Add what the stored outcomes tell of tokens and time."""
    found = replace(found, measured=len(costs), signature=costs[-1].signature)
    timed = [sum(cost.seconds.values()) for cost in costs if cost.seconds]
    if timed:
        found = replace(found, hours=len(wanted) * sum(timed) / len(timed) / found.parallel / 3600)
    usages = [(_size_of(cost, metric), cost.usage) for cost in costs if cost.usage is not None]
    if usages and found.requests is not None:
        found = replace(found, requests=round(len(wanted) * sum(one.answers for _, one in usages) / len(usages)))
    return _with_tokens(found, metric, wanted, usages)


def _paced(found: Estimate, server: Endpoint) -> Estimate:
    """Return the estimate with no fewer hours than the limits of requests and tokens a minute allow."""
    asked = ((found.requests, server.rate), (found.usage.total if found.usage else None, server.tokens_per_min))
    minutes = [amount / (limit * len(server.urls)) for amount, limit in asked if amount is not None and limit]
    least = max(minutes, default=0.0) / 60
    return replace(found, hours=least, paced=True) if least > (found.hours or 0.0) else found


def _with_tokens(
    found: Estimate, metric: type[Metric], wanted: Sequence[RequestSize], usages: Sequence[tuple[RequestSize, Usage]]
) -> Estimate:
    """Add the expected tokens, as far as answers were counted."""
    counted = [(size, usage) for size, usage in usages if usage.counted == usage.answers]
    prompts = [(size, float(usage.prompt)) for size, usage in counted if usage.prompt is not None]
    answers = [(size, float(usage.completion)) for size, usage in counted if usage.completion is not None]
    if not counted or not wanted or found.requests is None:
        return found
    prompt, completion = extrapolated(prompts, wanted), extrapolated(answers, wanted, by_size=False)
    tokens = round(prompt.total), round(completion.total)
    parts = [(prompt.margin, prompt.total), (completion.margin, completion.total)]
    off = [(margin * total) ** 2 for margin, total in parts if margin is not None]
    margin = sum(off) ** 0.5 / max(1, sum(tokens)) if len(off) == len(parts) else None
    expected = max(1, found.requests)
    return replace(found, usage=Usage(expected, expected, *tokens, sum(tokens)), margin=margin)


def _size_of(cost: StoredCost, metric: type[Metric]) -> RequestSize:
    references = cost.reference_characters if metric.requires_references else 0
    return RequestSize(cost.characters + references, cost.width, cost.height)


def request_size(sample: Sample, metric: type[Metric]) -> RequestSize:
    """Return what the tokens of a sample's requests depend on."""
    references = sample.references if metric.requires_references else ()
    characters = len(sample.candidate) + sum(map(len, references))
    return RequestSize(characters, sample.image.width, sample.image.height)


def _turns(settings: ModelSettings) -> int:
    """Return how many requests a sample takes, unless an answer has to be asked for again."""
    aspects = len(ASPECTS) if settings.options.get("criteria") == "each" else 1
    return aspects * (2 if settings.explain or settings.options.get("order") == "explanation-first" else 1)
