"""Plan studies: convert a researcher's request to the items that raters will see."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.errors import BadSetting, NotEnoughSamples
from core.studies.asking.form import Form
from core.studies.planning.sampling import SCORE_STRATA, draw, human_stratum, quotas, score_stratum
from core.studies.planning.study_request import StudyRequest
from core.studies.planning.unequal_draw import chances, disagreements, drawn
from core.studies.study_design import StudyDesign

DEFAULT_SIZE = 100  # number of items of a stratified sample, as in EXPERT's studies


@dataclass(frozen=True, slots=True)
class ExplainedScore:
    """A score with an explanation, with the fields that are needed to draw items."""

    id: int
    metric: str
    position: float  # position of the score in its metric's scale, [0, 1]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sample that could become an item of the study."""

    sample: int
    judgements: tuple[float, ...]  # individual human judgements, on the source's own scale
    scores: tuple[ExplainedScore, ...]
    regions_by: tuple[str, ...] = ()  # metrics whose explanations of this sample are regions of the picture
    has_picture: bool = True  # whether the picture was found
    image: int | None = None  # number that identifies the picture; None: no other sample has it


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A sample, with the scores to rate."""

    sample: int
    scores: tuple[int, ...]  # ids of scores; for a caption without a score, minus the sample's id
    stratum: str
    chance: int | None = None  # probability of selection, in units of 1 / CERTAIN; None: equal for all items


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The result of planning: the items in their drawn order, and the number of items per stratum (group)."""

    request: StudyRequest
    design: StudyDesign  # the study's options; missing options have the values of the study's form
    form: Form  # the form with the requested criteria only
    items: tuple[PlannedItem, ...]
    strata: tuple[tuple[str, int], ...]
    with_regions: int = 0  # number of items with an overlay, because a metric explained them by regions of the picture
    without_picture: int = 0  # number of items whose picture was not found

    @property
    def compared(self) -> int:
        """Return how many samples have the largest number of scores (explanations) side by side."""
        shown: Counter[int] = Counter()
        for item in self.items:
            shown[item.sample] += len(item.scores)
        most = max(shown.values(), default=0)
        return sum(count == most for count in shown.values())


@dataclass(frozen=True, slots=True)
class _Choice:
    candidate: Candidate
    rated: tuple[int, ...]  # as PlannedItem.scores
    position: float = 0.0  # position of the item's first score in its scale, [0, 1]


def plan_study(request: StudyRequest, candidates: Sequence[Candidate]) -> StudyPlan:
    """Draw the items of a study.

    Raises NotEnoughSamples, which states how many samples there are. Also raises the errors of StudyRequest.asked.
    """
    form = request.asked()
    choices = _choices(form, request, candidates)
    if not choices:
        raise NotEnoughSamples(_nothing_to_rate(form, request, candidates))
    if request.strata == "disagreement":
        items = _where_metrics_part(request, choices)
        wanted = {"disagreement": len(items)}
    else:
        groups = _grouped(choices, _STRATUM_OF[request.strata])
        wanted = _wanted(request, groups)
        items = tuple(
            PlannedItem(choice.candidate.sample, choice.rated, stratum)
            for stratum, choice in draw(groups, wanted, request.seed)
        )
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
    )


def _choices(form: Form, request: StudyRequest, candidates: Sequence[Candidate]) -> list[_Choice]:
    """Return every item that could be drawn."""
    if form.rates == "caption":
        return _caption_pairs(candidates) if form.compares else [_Choice(c, (-c.sample,)) for c in candidates]
    if form.layout == "single":
        return [_rated(c, (score,)) for c in candidates for score in _asked_for(request, c)]
    together = _side_by_side(request, candidates)
    if not form.compares:
        return [_rated(c, scores) for c, scores in together]
    return [_rated(c, pair) for c, scores in together for pair in combinations(scores, 2)]


def _rated(candidate: Candidate, scores: tuple[ExplainedScore, ...]) -> _Choice:
    return _Choice(candidate, tuple(score.id for score in scores), scores[0].position)


def _caption_pairs(candidates: Sequence[Candidate]) -> list[_Choice]:
    """Return every pair of captions of one picture, in order."""
    of_picture: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.image is not None:
            of_picture.setdefault(candidate.image, []).append(candidate)
    pairs = (pair for captions in of_picture.values() for pair in combinations(captions, 2))
    return [_Choice(first, (-first.sample, -second.sample)) for first, second in pairs]


def _side_by_side(
    request: StudyRequest, candidates: Sequence[Candidate]
) -> list[tuple[Candidate, tuple[ExplainedScore, ...]]]:
    fewest = max(2, len(request.metrics))
    asked = set(request.metrics)
    choices = [(c, _asked_for(request, c)) for c in candidates]
    return [(c, s) for c, s in choices if len(s) >= fewest and asked <= {score.metric for score in s}]


def _asked_for(request: StudyRequest, candidate: Candidate) -> tuple[ExplainedScore, ...]:
    if not request.metrics:
        return tuple(sorted(candidate.scores, key=lambda score: (score.metric, score.id)))
    return tuple(score for metric in request.metrics for score in candidate.scores if score.metric == metric)


def _by_score(choice: _Choice) -> str | None:
    return score_stratum(choice.position)


def _by_human(choice: _Choice) -> str | None:
    return human_stratum(choice.candidate.judgements)


def _all_together(choice: _Choice) -> str | None:
    return "all"


_STRATUM_OF: dict[str, Callable[[_Choice], str | None]] = {
    "score": _by_score,
    "human": _by_human,
    "none": _all_together,
}


def _where_metrics_part(request: StudyRequest, choices: Sequence[_Choice]) -> tuple[PlannedItem, ...]:
    """Draw samples for a study, preferably those on which the metrics' scores disagree.

    Such samples have a larger chance of being drawn. If a sample is drawn, all its items are used. Only samples with a
    score by every metric can be drawn. Raises BadSetting for fewer than two metrics, or if the number of items is not a
    multiple of the items per sample. Raises NotEnoughSamples.
    """
    metrics = request.metrics or tuple(sorted({score.metric for c in choices for score in c.candidate.scores}))
    if len(metrics) < 2:
        raise BadSetting("Choosing samples where metrics disagree needs explanations of two or more metrics.")
    of_sample: dict[int, list[_Choice]] = {}
    for choice in choices:
        if set(metrics) <= {score.metric for score in choice.candidate.scores}:
            of_sample.setdefault(choice.candidate.sample, []).append(choice)
    units = list(of_sample.values())
    each = Counter(len(unit) for unit in units).most_common(1)[0][0] if units else 1
    units = [unit for unit in units if len(unit) == each]  # without samples to which a second setting adds items
    size = DEFAULT_SIZE - DEFAULT_SIZE % each if request.size is None else request.size
    if size % each:
        raise BadSetting(
            f"Here each sample gives {each} items, so the number of items must be a multiple of {each}. Found: {size}."
        )
    if not 0 < size // each <= len(units):
        raise NotEnoughSamples(
            f"{size} items are requested, but only {len(units) * each} items have scores of {', '.join(metrics)}. "
            "Request fewer items."
        )
    scores = {
        metric: [next(s.position for s in unit[0].candidate.scores if s.metric == metric) for unit in units]
        for metric in metrics
    }
    of_unit = chances(disagreements(scores), size // each)
    items = [
        PlannedItem(choice.candidate.sample, choice.rated, "disagreement", of_unit[unit])
        for unit in drawn(of_unit, request.seed)
        for choice in units[unit]
    ]
    random.Random(request.seed).shuffle(items)
    return tuple(items)


def _grouped(choices: Sequence[_Choice], stratum_of: Callable[[_Choice], str | None]) -> dict[str, list[_Choice]]:
    groups: dict[str, list[_Choice]] = {}
    for choice in choices:
        stratum = stratum_of(choice)
        if stratum is not None:
            groups.setdefault(stratum, []).append(choice)
    return groups


def _wanted(request: StudyRequest, groups: dict[str, list[_Choice]]) -> dict[str, int]:
    if request.strata == "none":
        return {"all": len(groups["all"]) if request.size is None else request.size}
    names = SCORE_STRATA if request.strata == "score" else tuple(sorted(groups))
    if not names:
        raise NotEnoughSamples(
            "There is no sample whose human judgements all agree. Use strata by score, or no strata."
        )
    return quotas(DEFAULT_SIZE if request.size is None else request.size, names)


def _nothing_to_rate(form: Form, request: StudyRequest, candidates: Sequence[Candidate]) -> str:
    if form.rates == "caption":
        needed = "two captions of one picture" if form.compares else "at least one caption"
        return f"The form {form.key} needs {needed}, but {request.dataset} has none."
    metrics = sorted({score.metric for candidate in candidates for score in candidate.scores})
    there = f"explanations of {', '.join(metrics)}" if metrics else "no score with an explanation"
    needed = "at least one explanation" if form.layout == "single" else "two or more explanations of one sample"
    asked = f" by {', '.join(request.metrics)}" if request.metrics else ""
    available = f"{request.dataset} has {there}.{regions_hint(candidates)}"
    return f"A {form.layout.replace('_', ' ')} study needs {needed}{asked}. {available}"


def regions_hint(candidates: Sequence[Candidate]) -> str:
    """Return a text that some metrics cannot be rated, because they explain only by regions.

    Returns "" if there are no such metrics. The text begins with a space, because it is appended to another sentence.
    """
    in_words = {score.metric for candidate in candidates for score in candidate.scores}
    alone = sorted({metric for candidate in candidates for metric in candidate.regions_by} - in_words)
    if not alone:
        return ""
    whose = f"{', '.join(alone)} explain{'s' if len(alone) == 1 else ''}"
    return (
        f" {whose} by regions, not in words. Import or compute explanations of FLEUR or EXPERT. To show the regions, "
        "add --overlay."
    )


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
