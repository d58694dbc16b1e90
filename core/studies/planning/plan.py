"""Plan studies: convert a researcher's request to the items that raters will see."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import NotEnoughSamples
from core.studies.asking.form import Form
from core.studies.planning.choices import STRATUM_OF, Candidate, Choice, choices_of, nothing_to_rate
from core.studies.planning.sampling import SCORE_STRATA, draw, quotas
from core.studies.planning.study_request import StudyRequest
from core.studies.study_design import StudyDesign

Unit = tuple[Choice, ...]  # the items of one caption
DEFAULT_SIZE = 100  # number of captions of a stratified sample, as in EXPERT's studies


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A sample, with the scores to rate."""

    sample: int
    scores: tuple[int, ...]  # ids of scores; a caption without a score is stored as the negative id of its sample
    stratum: str


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The result of planning: the items in their drawn order, and the number of items per stratum (group)."""

    request: StudyRequest
    design: StudyDesign  # the study's options; options that the request omits come from the form
    form: Form  # the form with the requested criteria only
    items: tuple[PlannedItem, ...]
    strata: tuple[tuple[str, int], ...]
    with_regions: int = 0  # number of items that show a metric's explanation as regions on the picture
    without_picture: int = 0  # number of items whose picture was not found

    @property
    def compared(self) -> int:
        """Return how many samples have the plan's largest number of explanations.

        An item shows one or more explanations of a sample. The explanations in all items of a sample are counted
        together.
        """
        shown: Counter[int] = Counter()
        for item in self.items:
            shown[item.sample] += len(item.scores)
        most = max(shown.values(), default=0)
        return sum(count == most for count in shown.values())


def plan_study(request: StudyRequest, candidates: Sequence[Candidate]) -> StudyPlan:
    """Draw the items of a study.

    Raises NotEnoughSamples, which states how many samples there are. Also raises the errors of StudyRequest.asked.
    """
    form = request.asked()
    choices = choices_of(form, request, candidates)
    if not choices:
        raise NotEnoughSamples(nothing_to_rate(form, request, candidates))
    units = _captions(form, request, choices)
    groups = _grouped(units, STRATUM_OF[request.strata])
    wanted = _wanted(request, groups)
    drawn = [(stratum, choice) for stratum, unit in draw(groups, wanted, request.seed) for choice in unit]
    if len(drawn) > wanted.total():  # a caption has several items, which must not follow each other
        random.Random(request.seed).shuffle(drawn)
    items = tuple(PlannedItem(choice.candidate.sample, choice.rated, stratum) for stratum, choice in drawn)
    strata = Counter(item.stratum for item in items)
    regional = {candidate.sample for candidate in candidates if candidate.regions_by}
    blind = {candidate.sample for candidate in candidates if not candidate.has_picture}
    return StudyPlan(
        request,
        request.decided(form.shows),
        form,
        items,
        tuple((name, strata[name]) for name in wanted),
        with_regions=sum(item.sample in regional for item in items),
        without_picture=sum(item.sample in blind for item in items),
    )


def _captions(form: Form, request: StudyRequest, choices: Sequence[Choice]) -> list[Unit]:
    """Return the items of each caption together, because a caption is drawn with all its explanations.

    If only some captions are drawn, captions that lack a metric are omitted, because tests compare metrics in pairs.
    """
    if form.rates == "caption":
        return [(choice,) for choice in choices]
    units: dict[int, list[Choice]] = {}
    for choice in choices:
        units.setdefault(choice.candidate.sample, []).append(choice)
    most = max(map(len, units.values()))
    is_part = request.size is not None or request.strata != "none"
    return [tuple(unit) for unit in units.values() if not is_part or len(unit) == most]


def _grouped(units: Sequence[Unit], stratum_of: Callable[[Choice], str | None]) -> dict[str, list[Unit]]:
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        stratum = stratum_of(unit[0])
        if stratum is not None:
            groups.setdefault(stratum, []).append(unit)
    return groups


def _wanted(request: StudyRequest, groups: dict[str, list[Unit]]) -> Counter[str]:
    if request.strata == "none":
        return Counter({"all": len(groups["all"]) if request.size is None else request.size})
    names = SCORE_STRATA if request.strata == "score" else tuple(sorted(groups))
    if not names:
        raise NotEnoughSamples(
            "There is no sample whose human judgements all agree. Use strata by score, or no strata."
        )
    return Counter(quotas(DEFAULT_SIZE if request.size is None else request.size, names))


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
