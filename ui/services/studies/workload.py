"""What one rater gets in a study: items, practice, gold, repeats, and about how many minutes they take."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

from core.studies.asking.form import Form
from core.studies.planning.control_places import Workload
from core.studies.planning.duration import ReadingLoad, expected_minutes, item_seconds
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.plan import StudyPlan
from storage.types import Study
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class RaterWorkload:
    """What one rater gets, and how many raters a study needs."""

    items: int  # items that count
    practice: int
    gold: int
    repeats: int
    minutes: int  # about
    is_most: bool  # raters who share the items may get fewer
    raters: int | None  # that finish the study, each with that many items; None: every rater rates every item
    words: str  # "12 items + 2 practice + 2 gold, about 14 minutes"


def study_workload(workplace: Workplace, study: Study, often: Mapping[str, int | None] | None = None) -> RaterWorkload:
    """Return what a new rater of a study gets; often: gold_every and repeat_every in place of the study's."""
    studies = workplace.repository.studies
    controls = studies.controls([study.id])[study.id]
    if often:
        gold, repeat = (often.get(name, getattr(controls, name)) for name in ("gold_every", "repeat_every"))
        controls = replace(controls, gold_every=gold, repeat_every=repeat)
    reading = studies.reading([study.id])[study.id]
    found = study.workload(controls)
    return _rater_workload(found, study.asks, reading, study.items, study.raters_per_item, study.course)


def plan_workload(workplace: Workplace, plan: StudyPlan, course: StudySchedule) -> RaterWorkload:
    """Return what one rater would get in a study that is not made yet: it has no practice, gold and repeats."""
    items = len(plan.items)
    mine = Workload(items if course.items_per_rater is None else min(items, course.items_per_rater))
    reading = workplace.repository.studies.plan_reading(plan)
    return _rater_workload(mine, plan.form, reading, items, plan.request.raters_per_item, course)


def _rater_workload(
    mine: Workload, form: Form, reading: ReadingLoad, items: int, raters_per_item: int | None, course: StudySchedule
) -> RaterWorkload:
    minutes = expected_minutes(mine.total, item_seconds(form, reading))
    is_most = raters_per_item is not None and course.items_per_rater is None
    raters = None
    if raters_per_item is not None and course.items_per_rater is not None:
        raters = max(raters_per_item, ceil(items * raters_per_item / max(mine.items, 1)))
    about = f"{mine.words}, about {minutes} {'minute' if minutes == 1 else 'minutes'}"
    words = f"up to {about}" if is_most else about
    return RaterWorkload(mine.items, mine.practice, mine.gold, mine.repeats, minutes, is_most, raters, words)
