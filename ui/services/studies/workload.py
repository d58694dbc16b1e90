"""Compute a rater's workload: items, practice items, gold items (with known answers), and minutes."""

from dataclasses import dataclass, replace
from math import ceil

from core.studies.asking.form import Form
from core.studies.planning.control_places import Workload
from core.studies.planning.duration import OPENING_SECONDS, ReadingLoad, expected_minutes, item_seconds
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.plan import StudyPlan
from storage.study_types import Study
from ui.services.studies.study_warnings import study_warnings
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class RaterWorkload:
    """The workload of one rater, and the number of raters that a study needs."""

    items: int  # number of items of one rater, without practice and gold
    practice: int
    gold: int
    minutes: int  # approximate
    is_most: bool  # True: `items` is a maximum, because raters share the items
    raters: int | None  # number of raters needed if each rates `items` items; None: every rater rates every item
    item_seconds: float  # approximate
    words: str  # summary in words, such as "12 items + 2 practice + 2 gold, about 14 minutes"
    warnings: tuple[str, ...]  # warnings about settings without effect, or raters who cannot return to a platform


def study_workload(workplace: Workplace, study: Study) -> RaterWorkload:
    """Return the workload of a new rater in a study."""
    studies = workplace.repository.studies
    controls = studies.controls([study.id])[study.id]
    reading = studies.reading([study.id])[study.id]
    workload = study.workload(controls)
    rater_workload = _rater_workload(workload, study.asks, reading, study.items, study.raters_per_item, study.course)
    return replace(rater_workload, warnings=study_warnings(workplace, study, controls, workload))


def plan_workload(workplace: Workplace, plan: StudyPlan, course: StudySchedule) -> RaterWorkload:
    """Return one rater's workload in a planned study.

    It includes the number of practice items for which the study's form asks. It includes no gold items (with known
    answers).
    """
    items, practice = len(plan.items), plan.form.practice_items
    mine = Workload(items if course.items_per_rater is None else min(items, course.items_per_rater), practice)
    reading = workplace.repository.studies.plan_reading(plan)
    return _rater_workload(mine, plan.form, reading, items, plan.request.raters_per_item, course)


def _rater_workload(
    mine: Workload, form: Form, reading: ReadingLoad, items: int, raters_per_item: int | None, course: StudySchedule
) -> RaterWorkload:
    seconds = item_seconds(form, reading)
    minutes = expected_minutes(mine.total, seconds, OPENING_SECONDS)
    is_most = raters_per_item is not None and course.items_per_rater is None
    raters = None
    if raters_per_item is not None and course.items_per_rater is not None:
        raters = max(raters_per_item, ceil(items * raters_per_item / max(mine.items, 1)))
    about = f"{mine.words}, about {minutes} {'minute' if minutes == 1 else 'minutes'}"
    words = f"up to {about}" if is_most else about
    return RaterWorkload(mine.items, mine.practice, mine.gold, minutes, is_most, raters, seconds, words, ())
