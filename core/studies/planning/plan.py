"""Plan studies: convert a researcher's request to the items that raters will see."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import NotEnoughSamples
from core.studies.asking.form import Form
from core.studies.planning.choices import STRATUM_OF, Candidate, Choice, choices_of, nothing_to_rate
from core.studies.planning.sampling import SCORE_STRATA, draw, quotas
from core.studies.planning.study_request import StudyRequest
from core.studies.study_design import StudyDesign

DEFAULT_SIZE = 100  # number of captions of a stratified sample, as in EXPERT's studies


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A sample, with the scores to rate."""

    sample: int
    scores: tuple[int, ...]  # ids of scores; a caption without a score is stored as the negative id of its sample
    stratum: str


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The result of planning: the items in their drawn order, and the number of captions per stratum (group)."""

    request: StudyRequest
    design: StudyDesign  # the study's options; options that the request omits come from the form
    form: Form  # the form with the requested criteria only
    items: tuple[PlannedItem, ...]
    strata: tuple[tuple[str, int], ...]
    with_regions: int = 0  # number of items that show a metric's explanation as regions on the picture
    without_picture: int = 0  # number of items whose picture was not found
    metrics: int = 0  # number of metrics whose explanations are shown
    pairs: int = 0  # number of captions with an explanation of each of these metrics

    @property
    def captions(self) -> int:
        """Return the number of captions that raters see."""
        rated = {-score for item in self.items for score in item.scores if score < 0}
        return len(rated or {item.sample for item in self.items})


def plan_study(request: StudyRequest, candidates: Sequence[Candidate]) -> StudyPlan:
    """Draw the items of a study.

    Raises NotEnoughSamples, which states how many samples there are. Also raises the errors of StudyRequest.asked.
    """
    form = request.asked()
    choices = choices_of(form, request, candidates)
    if not choices:
        raise NotEnoughSamples(nothing_to_rate(form, request, candidates))
    groups = _grouped(choices, STRATUM_OF[request.strata])
    wanted = _wanted(request, groups)
    chosen = draw(groups, wanted, request.seed)
    made = [PlannedItem(one.candidate.sample, one.rated, stratum) for stratum, unit in chosen for one in unit]
    if len(made) > len(chosen):
        random.Random(request.seed).shuffle(made)
    items = tuple(made)
    metric_of = {score.id: score.metric for candidate in candidates for score in candidate.scores}
    shown: dict[int, set[str]] = {}
    for item in items:
        shown.setdefault(item.sample, set()).update(metric_of[score] for score in item.scores if score in metric_of)
    metrics = set().union(*shown.values())
    regional = {candidate.sample for candidate in candidates if candidate.regions_by}
    blind = {candidate.sample for candidate in candidates if not candidate.has_picture}
    return StudyPlan(
        request,
        request.decided(form.shows),
        form,
        items,
        tuple(wanted.items()),
        with_regions=sum(item.sample in regional for item in items),
        without_picture=sum(item.sample in blind for item in items),
        metrics=len(metrics),
        pairs=sum(of == metrics for of in shown.values()) if len(metrics) > 1 else 0,
    )


def _grouped(choices: Sequence[Choice], stratum_of: Callable[[Choice], str | None]) -> dict[str, list[list[Choice]]]:
    """Return what is drawn: by stratum, the captions, each with all its items.

    A caption is drawn with the items of all metrics, so that metrics can be compared on the same captions. Its stratum
    is that of its first item. Of forms that compare captions, each pair of captions is drawn by itself.
    """
    units: dict[tuple[int, ...], list[Choice]] = {}
    for choice in choices:
        pair = choice.rated if choice.rated[0] < 0 else (choice.candidate.sample,)
        units.setdefault(pair, []).append(choice)
    groups: dict[str, list[list[Choice]]] = {}
    for unit in units.values():
        stratum = stratum_of(unit[0])
        if stratum is not None:
            groups.setdefault(stratum, []).append(unit)
    return groups


def _wanted(request: StudyRequest, groups: Mapping[str, Sequence[object]]) -> dict[str, int]:
    if request.strata == "none":
        return {"all": len(groups["all"]) if request.size is None else request.size}
    names = SCORE_STRATA if request.strata == "score" else tuple(sorted(groups))
    if not names:
        raise NotEnoughSamples(
            "There is no sample whose human judgements all agree. Use strata by score, or no strata."
        )
    return quotas(DEFAULT_SIZE if request.size is None else request.size, names)


def rater_order(seed: int, rater: int, items: int) -> tuple[int, ...]:
    """Return the order in which a rater sees the items (0 .. items-1).

    Equal arguments give equal orders.
    """
    bits = random.Random(f"{seed}/{rater}").getrandbits
    order = list(range(items))
    last = items - 1
    while last > 0:  # like random.shuffle, but twice as fast, because no function is called for each position
        needed = (last + 1).bit_length()
        first = max(2 ** (needed - 1) - 1, 1)
        for place in range(last, first - 1, -1):
            other = bits(needed)
            while other > place:
                other = bits(needed)
            order[place], order[other] = order[other], order[place]
        last = first - 1
    return tuple(order)
