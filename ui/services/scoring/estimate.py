"""Estimate the cost of a run of `score`: samples, requests, tokens, hours.

Requests are sent only if the caller wants some samples to be scored for the estimate.
"""

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
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import ScoringPlan
from ui.services.scoring.scoring_report import ScoringReport
from ui.services.workplace import Workplace

NO_SIGNATURE = ""  # no score has this signature, so every sample counts as unscored


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected cost of a scoring run.

    None: unknown, because the costs of similar scores were not measured.
    """

    metric: str
    dataset: str
    samples: int  # samples to score
    requests: int | None  # requests to a server; None: no server is used
    measured: int = 0  # stored outcomes that the estimate is based on
    signature: str | None = None  # signature of the measured outcomes
    usage: Usage | None = None  # expected tokens
    margin: float | None = None  # twice the standard error of the number of tokens, as a fraction of that number
    hours: float | None = None
    parallel: int = 1  # number of parallel requests to all servers together; `hours` is computed for this number
    paced: bool = False  # True: `hours` follows from a limit of requests or tokens per minute
    asked: ScoringReport | None = None  # report on the requests that were sent for this estimate


def estimate_unasked(
    workplace: Workplace, metric: type[Metric], dataset: str, settings: ModelSettings, limit: int | None = None
) -> Estimate:
    """Estimate a scoring run from the costs of stored scores only.

    Nothing is sent to a server and no model is loaded. Raises NotFound.
    """
    scores = workplace.repository.scores
    costs = scores.costs(dataset)
    like = [cost.signature for cost in costs if _is_like(cost, metric, settings)]
    signature = like[-1] if like else None  # the newest signature is at the end of the list
    wanted = scores.unscored(dataset, signature or NO_SIGNATURE, limit=limit)
    same = [cost for cost in costs if cost.signature == signature]
    return _estimate(metric, dataset, settings, [request_size(one.sample, metric) for one in wanted], same)


def _is_like(cost: StoredCost, metric: type[Metric], settings: ModelSettings) -> bool:
    """Return whether a stored cost can predict a scoring run's costs.

    The metric must be the same for the stored score and the run. The use of a server and the presence of explanations
    must be the same too.
    """
    served, named = settings.endpoint is not None, settings.endpoint.model if settings.endpoint else settings.model
    is_same = cost.metric == metric.name and (cost.usage is not None) == served
    return is_same and cost.explained == settings.explain and (named is None or named in cost.signature)


def estimate_asking(
    workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, count: int, progress: Progress = no_progress
) -> Estimate:
    """Score some planned samples, and estimate the cost of the rest.

    The outcomes are stored. count: number of samples to score. Raises ModelUnavailable. Raises BadData if none of the
    samples could be scored.
    """
    sizes = [request_size(one.sample, evaluator.kind(plan.metric)) for one in plan.wanted]
    chosen = set(spread(sizes, count))
    some = plan.wanted.only(chosen)
    rest = [size for place, size in enumerate(sizes) if place not in chosen]
    asked = run_scoring(workplace, evaluator, replace(plan, wanted=some, timings=True), progress)
    if some and not asked.scored and all(errors.kind == "refused" for errors in asked.error_kinds):
        raise BadData(
            f"None of {len(some)} samples could be scored. An example of the errors: {asked.error_kinds[0].example}"
        )
    costs = [
        one
        for one in workplace.repository.scores.costs(plan.dataset)
        if one.signature in {plan.signature, *asked.signatures}
    ]
    estimate = _estimate(evaluator.kind(plan.metric), plan.dataset, plan.settings, rest, costs)
    return replace(estimate, asked=asked)


def _estimate(
    metric: type[Metric],
    dataset: str,
    settings: ModelSettings,
    wanted: Sequence[RequestSize],
    costs: Sequence[StoredCost],
) -> Estimate:
    server = settings.endpoint
    at_a_time = server.parallel * len(server.urls) if server else 1
    estimate = Estimate(metric.name, dataset, len(wanted), None, parallel=at_a_time)
    if server is not None and issubclass(metric, SERVED):
        estimate = replace(estimate, requests=len(wanted) * _turns(settings))
    if costs:
        estimate = _measured(estimate, metric, wanted, costs)
    return estimate if server is None else _paced(estimate, server)


def _measured(
    estimate: Estimate, metric: type[Metric], wanted: Sequence[RequestSize], costs: Sequence[StoredCost]
) -> Estimate:
    """Add the expected requests, tokens and time to an estimate, computed from the costs of stored outcomes."""
    estimate = replace(estimate, measured=len(costs), signature=costs[-1].signature)
    timed = [sum(cost.seconds.values()) for cost in costs if cost.seconds]
    if timed:
        estimate = replace(estimate, hours=len(wanted) * sum(timed) / len(timed) / estimate.parallel / 3600)
    usages = [(_size_of(cost, metric), cost.usage) for cost in costs if cost.usage is not None]
    if usages and estimate.requests is not None:
        estimate = replace(estimate, requests=round(len(wanted) * sum(one.answers for _, one in usages) / len(usages)))
    return _with_tokens(estimate, wanted, usages)


def _paced(estimate: Estimate, server: Endpoint) -> Estimate:
    """Increase an estimate's hours if the server's limits require it.

    The limits are on requests and tokens per minute.
    """
    asked = (
        (estimate.requests, server.rate),
        (estimate.usage.total if estimate.usage else None, server.tokens_per_min),
    )
    minutes = [amount / (limit * len(server.urls)) for amount, limit in asked if amount is not None and limit]
    least = max(minutes, default=0.0) / 60
    return replace(estimate, hours=least, paced=True) if least > (estimate.hours or 0.0) else estimate


def _with_tokens(
    estimate: Estimate, wanted: Sequence[RequestSize], usages: Sequence[tuple[RequestSize, Usage]]
) -> Estimate:
    """Add the expected tokens to an estimate.

    Nothing is added if no stored outcome has a token count.
    """
    counted = [(size, usage) for size, usage in usages if usage.counted == usage.answers]
    prompts = [(size, float(usage.prompt)) for size, usage in counted if usage.prompt is not None]
    answers = [(size, float(usage.completion)) for size, usage in counted if usage.completion is not None]
    if not counted or not wanted or estimate.requests is None:
        return estimate
    prompt, completion = extrapolated(prompts, wanted), extrapolated(answers, wanted, by_size=False)
    tokens = round(prompt.total), round(completion.total)
    parts = [(prompt.margin, prompt.total), (completion.margin, completion.total)]
    off = [(margin * total) ** 2 for margin, total in parts if margin is not None]
    margin = sum(off) ** 0.5 / max(1, sum(tokens)) if len(off) == len(parts) else None
    expected = max(1, estimate.requests)
    return replace(estimate, usage=Usage(expected, expected, *tokens, sum(tokens)), margin=margin)


def _size_of(cost: StoredCost, metric: type[Metric]) -> RequestSize:
    references = cost.reference_characters if metric.requires_references else 0
    return RequestSize(cost.characters + references, cost.width, cost.height)


def request_size(sample: Sample, metric: type[Metric]) -> RequestSize:
    """Return the sizes of a sample's texts and picture.

    The sample's number of tokens depends on these sizes.
    """
    references = sample.references if metric.requires_references else ()
    characters = len(sample.candidate) + sum(map(len, references))
    return RequestSize(characters, sample.image.width, sample.image.height)


def _turns(settings: ModelSettings) -> int:
    """Return the number of requests for one sample, if none is repeated."""
    aspects = len(ASPECTS) if settings.options.get("criteria") == "each" else 1
    return aspects * (2 if settings.explain or settings.options.get("order") == "explanation-first" else 1)
