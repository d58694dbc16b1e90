"""Propose and add gold items (with known answers).

They are proposed from a study's data, and added if a person approves them.
"""

from collections.abc import Sequence

from core.errors import BadSetting
from core.studies.asking.criteria import criterion_named
from core.studies.planning.gold import JUDGED_BY, MAKINGS, Making, Proposal, proposals
from storage.study_types import Study
from ui.services.workplace import Workplace


def proposed(workplace: Workplace, study: Study, making: Making, count: int, seed: int) -> tuple[Proposal, ...]:
    """Return candidates for gold items.

    Candidates have no picture that a gold item already uses. making: the method by which candidates are
    made. Each method needs ratings on one criterion. Raises BadSetting if the study does not ask for them. Raises
    NotEnoughSamples.
    """
    highest_right(study, making)
    panels, sources = 1 if study.form == "single" else study.panels, workplace.repository.gold.sources(study.id)
    return proposals(making, sources, panels, count, seed)


def highest_right(study: Study, making: Making) -> int:
    """Return the highest rating that counts as correct for gold items.

    making: the method by which the gold items are made. It decides on which criterion the rating must be low. The
    result is the highest point in the lower half of this criterion's scale. Raises BadSetting.
    """
    key, shows = JUDGED_BY[making], study.asks.shows
    if key not in study.design.criteria:
        raise BadSetting(f"Items of this kind need the criterion {key.capitalize()}, which {study.name} does not have.")
    if study.asks.rates != "explanation" or not shows.explanation or (making == "turned" and not shows.score):
        raise BadSetting(
            "Items of this kind need a form in which raters see and rate explanations. Items with a reversed score "
            f"also need visible scores. The form of {study.name} lacks one of these things."
        )
    return criterion_named(key, study.asks.criteria).low


def makings(study: Study) -> tuple[Making, ...]:
    """Return the methods by which gold items can be made for a study."""

    def can(making: Making) -> bool:
        try:
            return bool(highest_right(study, making))
        except BadSetting:
            return False

    return tuple(filter(can, MAKINGS))


def approve(workplace: Workplace, study: Study, chosen: Sequence[Proposal], by: str) -> None:
    """Add approved items to a study. Raises BadSetting, NotFound."""
    panels = {1} if study.form == "single" else set(range(2, study.panels + 1))
    if any(len(one.scores) not in panels for one in chosen):
        raise BadSetting(f"Each item of {study.name} must show {' or '.join(map(str, sorted(panels)))} explanations.")
    right = [(one, highest_right(study, one.making)) for one in chosen]
    workplace.repository.gold.approve(study.id, right, by)
