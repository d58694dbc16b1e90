"""Routes that test whether scores fall when captions are made worse.

Each edit makes a caption worse in one specific way, for example by shuffling its words.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from core.errors import BadSetting, ModelUnavailable
from core.metrics.evaluator import metric_named
from ui.services.probe_report import ProbeReport
from ui.services.probing import ProbePlan, probe
from ui.web.routes.dependencies import AnalystDep, JudgeDep
from ui.web.routes.long_work import followed

MOST_CAPTIONS, MOST_METRICS = 500, 5  # maximum per request, because the models also serve other people
EXAMPLES = 1

ROUTER = APIRouter(prefix="/api/analyse", dependencies=[Depends(followed)])


@ROUTER.get("/probe/metrics")
def ready_metrics(dataset: str, analyst: AnalystDep, judge: JudgeDep) -> list[str]:
    """List the metrics that are ready to score a data set.

    They are ready if they can score the data set's first sample now.
    """
    ids = analyst.table(dataset).ids
    return [one.metric for one in judge.readiness(int(ids[0])) if one.ready] if len(ids) else []


@ROUTER.get("/probe")
def probed(
    dataset: str,
    metric: Annotated[list[str], Query(max_length=MOST_METRICS, min_length=1)],
    analyst: AnalystDep,
    judge: JudgeDep,
    limit: Annotated[int, Query(ge=1, le=MOST_CAPTIONS)] = 50,
    seed: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    references: bool = False,
    slice_name: Annotated[str | None, Query(alias="slice", max_length=200)] = None,
) -> ProbeReport:
    """Edit captions, score them again, and return how often scores fall."""
    metrics = [metric_named(name, judge.metrics()) for name in dict.fromkeys(metric)]
    plan = ProbePlan(dataset, limit, seed, "references" if references else "candidates", slice_name, EXAMPLES)
    try:
        return probe(analyst, plan, metrics, lambda name, samples: judge.outcomes(name, samples, dataset))
    except ModelUnavailable as error:  # the page shows the message of BadSetting, but not that of a server failure
        raise BadSetting(str(error)) from error
