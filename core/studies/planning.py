"""Studies: from what a researcher asks for to the items that raters will see."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from core.errors import BadSetting, NotEnoughSamples
from core.studies.criteria import EXPERT_PROTOCOL
from core.studies.sampling import SCORE_STRATA, draw, human_stratum, quotas, score_stratum

Form = Literal["single", "side_by_side"]
Strata = Literal["score", "human", "none"]
FORMS: tuple[Form, ...] = get_args(Form)
STRATA: tuple[Strata, ...] = get_args(Strata)
DEFAULT_SIZE = 100  # items of a stratified draw, as in EXPERT's studies
LARGEST_NUMBER = 2**31 - 1  # the largest seed or number of raters; what an integer column holds everywhere


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """What a researcher asks for."""

    name: str
    dataset: str
    seed: int
    form: Form = "single"
    metrics: tuple[str, ...] = ()  # empty: every metric with explanations
    size: int | None = None  # items; None: all, or DEFAULT_SIZE where strata are asked for
    strata: Strata = "none"
    raters_per_item: int | None = None  # None: every rater rates every item
    veil: bool = True  # the picture stays hidden until Consistency is answered
    overlay: bool = False  # raters see the regions that a metric looked at; the papers' protocol shows none
    uniform: bool = False  # explanations in one layout, numbers rounded; the papers show them as they are
    criteria: tuple[str, ...] = EXPERT_PROTOCOL  # named, so that a new criterion enters no study by itself

    def __post_init__(self) -> None:
        """Refuse what no study can be made of. Raises BadSetting."""
        check_name(self.name)
        if self.form not in FORMS or self.strata not in STRATA:
            raise BadSetting(f"Form must be one of {', '.join(FORMS)} and strata one of {', '.join(STRATA)}.")
        for what, number in (("Items", self.size), ("Raters per item", self.raters_per_item)):
            if number is not None and not 1 <= number <= LARGEST_NUMBER:
                raise BadSetting(f"{what}: a whole number, 1 or more, is expected, found {number}.")
        if not 0 <= self.seed <= LARGEST_NUMBER:
            raise BadSetting(f"The seed must be from 0 to {LARGEST_NUMBER}, found {self.seed}.")
        if not self.criteria:
            raise BadSetting("A study needs at least one criterion.")
        for what, names in (("metric", self.metrics), ("criterion", self.criteria)):
            if len(set(names)) < len(names):
                raise BadSetting(f"Name every {what} once, found {', '.join(names)}.")


def check_name(name: str) -> None:
    """Raise BadSetting for what no study can be called."""
    if not name.strip() or len(name) > 80 or not name.isprintable():
        raise BadSetting("A study needs a name of 1 to 80 printable characters.")


@dataclass(frozen=True, slots=True)
class ExplainedScore:
    """A score that has an explanation, as far as a draw needs to know it."""

    id: int
    metric: str
    position: float  # the value's place in its metric's scale, [0, 1]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sample that could become an item."""

    sample: int
    judgements: tuple[float, ...]  # single human judgements, on their own scale
    scores: tuple[ExplainedScore, ...]
    regions_by: tuple[str, ...] = ()  # metrics that explain by regions of the picture here
    has_picture: bool = True  # whether it was found


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A sample with the scores to be rated on it."""

    sample: int
    scores: tuple[int, ...]
    stratum: str


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What will be stored: the items in their drawn order, and how many each stratum gave."""

    request: StudyRequest
    items: tuple[PlannedItem, ...]
    strata: tuple[tuple[str, int], ...]
    with_regions: int = 0  # items whose picture some metric has explained by regions; an overlay shows these
    without_picture: int = 0  # items whose picture was not found


@dataclass(frozen=True, slots=True)
class _Choice:
    candidate: Candidate
    scores: tuple[ExplainedScore, ...]


def plan_study(request: StudyRequest, candidates: Sequence[Candidate]) -> StudyPlan:
    """Draw the items of a study. Raises NotEnoughSamples, saying what there is."""
    choices = _single(request, candidates) if request.form == "single" else _side_by_side(request, candidates)
    if not choices:
        raise NotEnoughSamples(_nothing_to_rate(request, candidates))
    groups = _grouped(choices, _STRATUM_OF[request.strata])
    wanted = _wanted(request, groups)
    items = tuple(
        PlannedItem(choice.candidate.sample, tuple(score.id for score in choice.scores), stratum)
        for stratum, choice in draw(groups, wanted, request.seed)
    )
    regional = {candidate.sample for candidate in candidates if candidate.regions_by}
    blind = {candidate.sample for candidate in candidates if not candidate.has_picture}
    return StudyPlan(
        request,
        items,
        tuple(wanted.items()),
        with_regions=sum(item.sample in regional for item in items),
        without_picture=sum(item.sample in blind for item in items),
    )


def _single(request: StudyRequest, candidates: Sequence[Candidate]) -> list[_Choice]:
    return [_Choice(c, (score,)) for c in candidates for score in _asked_for(request, c)]


def _side_by_side(request: StudyRequest, candidates: Sequence[Candidate]) -> list[_Choice]:
    fewest = max(2, len(request.metrics))
    choices = [_Choice(c, _asked_for(request, c)) for c in candidates]
    asked = set(request.metrics)
    return [c for c in choices if len(c.scores) >= fewest and asked <= {score.metric for score in c.scores}]


def _asked_for(request: StudyRequest, candidate: Candidate) -> tuple[ExplainedScore, ...]:
    if not request.metrics:
        return tuple(sorted(candidate.scores, key=lambda score: (score.metric, score.id)))
    return tuple(score for metric in request.metrics for score in candidate.scores if score.metric == metric)


def _by_score(choice: _Choice) -> str | None:
    return score_stratum(choice.scores[0].position)


def _by_human(choice: _Choice) -> str | None:
    return human_stratum(choice.candidate.judgements)


def _all_together(choice: _Choice) -> str | None:
    return "all"


_STRATUM_OF: dict[Strata, Callable[[_Choice], str | None]] = {
    "score": _by_score,
    "human": _by_human,
    "none": _all_together,
}


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
        raise NotEnoughSamples("No sample has human judgements that all agree; draw by score or without strata.")
    return quotas(DEFAULT_SIZE if request.size is None else request.size, names)


def _nothing_to_rate(request: StudyRequest, candidates: Sequence[Candidate]) -> str:
    metrics = sorted({score.metric for candidate in candidates for score in candidate.scores})
    there = f"explanations by {', '.join(metrics)}" if metrics else "no score with an explanation"
    needed = "at least one explanation" if request.form == "single" else "two or more explanations of one sample"
    asked = f" by {', '.join(request.metrics)}" if request.metrics else ""
    found = f"{request.dataset} has {there}.{regions_hint(candidates)}"
    return f"A {request.form.replace('_', ' ')} study needs {needed}{asked}; {found}"


def regions_hint(candidates: Sequence[Candidate]) -> str:
    """Say why metrics that explain by regions alone cannot be rated, with a space before; "" where there are none."""
    in_words = {score.metric for candidate in candidates for score in candidate.scores}
    alone = sorted({metric for candidate in candidates for metric in candidate.regions_by} - in_words)
    if not alone:
        return ""
    whose = f"{', '.join(alone)} explain{'s' if len(alone) == 1 else ''}"
    return (
        f" {whose} by regions, not in words: import or score explanations by FLEUR or EXPERT, "
        "and let --overlay show the regions beside them."
    )


@lru_cache(maxsize=256)
def rater_order(seed: int, rater: int, items: int) -> tuple[int, ...]:
    """Return the order in which a rater sees the items (0 .. items-1): the same for the same three numbers."""
    order = list(range(items))
    random.Random(f"{seed}/{rater}").shuffle(order)
    return tuple(order)
