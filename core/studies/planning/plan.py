"""Plan studies: draw the items of a study at random, as in EXPERT, Appendix C.

The same number of captions is drawn for each interval of scores, or for each human score.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.errors import NotEnoughSamples
from core.studies.asking.form import Form
from core.studies.design import StudyDesign
from core.studies.planning.choices import SCORE_STRATA, STRATUM_OF, Candidate, Choice, choices_of, nothing_to_rate

T = TypeVar("T")
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

    design: StudyDesign  # the requested design; options that the request omits come from the form
    form: Form  # the form with the requested criteria only
    items: tuple[PlannedItem, ...]  # the first `design.practice` items are practice
    strata: tuple[tuple[str, int], ...]
    with_regions: int = 0  # number of items that show a metric's explanation as regions on the picture
    without_picture: int = 0  # number of items whose picture was not found
    metrics: int = 0  # number of metrics whose explanations are shown
    pairs: int = 0  # number of captions with an explanation of each of these metrics

    @property
    def counted(self) -> tuple[PlannedItem, ...]:
        """The items that count in results."""
        return self.items[self.design.practice :]

    @property
    def captions(self) -> int:
        """Return the number of captions in the items that count in results."""
        rated = {-score for item in self.counted for score in item.scores if score < 0}
        return len(rated or {item.sample for item in self.counted})


def plan_study(request: StudyDesign, candidates: Sequence[Candidate]) -> StudyPlan:
    """Draw the items of a study.

    Raises NotEnoughSamples, which states how many samples there are. Also raises the errors of StudyDesign.asked.
    """
    form = request.asked()
    choices = choices_of(form, request, candidates)
    if not choices:
        raise NotEnoughSamples(nothing_to_rate(form, request, candidates))
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        if (stratum := STRATUM_OF[request.strata](choice)) is not None:
            groups.setdefault(stratum, []).append(choice)
    wanted = _wanted(request, groups)
    chosen = draw(groups, wanted, request.seed)
    made = [PlannedItem(one.candidate.sample, item, stratum) for stratum, one in chosen for item in one.items]
    if len(made) > len(chosen):
        random.Random(request.seed).shuffle(made)
    if request.practice >= len(made):
        raise NotEnoughSamples(f"The study has {len(made)} items, so it cannot have {request.practice} for practice.")
    items, counted = tuple(made), tuple(made[request.practice :])
    metric_of = {score.id: score.metric for candidate in candidates for score in candidate.scores}
    shown: dict[int, set[str]] = {}
    for item in counted:
        shown.setdefault(item.sample, set()).update(metric_of[score] for score in item.scores if score in metric_of)
    metrics = set().union(*shown.values())
    regional = {candidate.sample for candidate in candidates if candidate.regions_by}
    blind = {candidate.sample for candidate in candidates if not candidate.has_picture}
    return StudyPlan(
        request.decided(form),
        form,
        items,
        tuple(wanted.items()),
        with_regions=sum(item.sample in regional for item in counted),
        without_picture=sum(item.sample in blind for item in counted),
        metrics=len(metrics),
        pairs=sum(of == metrics for of in shown.values()) if len(metrics) > 1 else 0,
    )


def _wanted(request: StudyDesign, groups: Mapping[str, Sequence[object]]) -> dict[str, int]:
    if request.strata == "none":
        return {"all": len(groups["all"]) if request.size is None else request.size}
    names = SCORE_STRATA if request.strata == "score" else tuple(sorted(groups))
    if not names:
        raise NotEnoughSamples(
            "There is no sample whose human judgements all agree. Use strata by score, or no strata."
        )
    return quotas(DEFAULT_SIZE if request.size is None else request.size, names)


def quotas(size: int, strata: Sequence[str]) -> dict[str, int]:
    """Divide a number of items equally among groups (strata).

    If there is a remainder, each of the last groups gets one item more: 100 items in three groups are 33, 33 and 34.
    """
    share, left = divmod(size, len(strata))
    return {name: share + (place >= len(strata) - left) for place, name in enumerate(strata)}


def draw(groups: Mapping[str, Sequence[T]], wanted: Mapping[str, int], seed: int) -> list[tuple[str, T]]:
    """Draw wanted[name] members of each group without replacement, then shuffle all of them together.

    The same groups, in the same order, and the same seed give the same draw. Raises NotEnoughSamples, which states how
    many members each group has.
    """
    short = [name for name, count in wanted.items() if len(groups.get(name, ())) < count]
    if short:
        held = ", ".join(f"{name}: {len(groups.get(name, ()))} of {count}" for name, count in wanted.items())
        raise NotEnoughSamples(f"There are too few samples ({held}). Request fewer items or choose other strata.")
    generator = random.Random(seed)
    drawn = [(name, member) for name, count in wanted.items() for member in generator.sample(groups[name], count)]
    generator.shuffle(drawn)
    return drawn
