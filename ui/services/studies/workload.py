"""Compute a rater's work in a study, and warn the study's manager of settings that do not work."""

from core.studies.asking.form import Form
from core.studies.asking.form_words import numbered
from core.studies.design import StudyDesign
from core.studies.planning.gold import Controls, Workload
from core.studies.planning.minutes import OPENING_SECONDS, ReadingLoad, expected_minutes, item_seconds
from core.studies.planning.plan import StudyPlan
from core.studies.planning.platforms import ENDINGS, RETURNING, Ending, Platform
from storage.study_types import Study
from ui.services.workplace import Workplace


def study_workload(workplace: Workplace, study: Study) -> str:
    """Return the work of a new rater in words, such as "12 items + 2 practice + 2 gold, about 14 minutes"."""
    studies = workplace.repository.studies
    mine = study.workload(studies.controls(study.id))
    return _in_words(mine, study.asks, studies.reading([study.id])[study.id], study.design)


def plan_workload(workplace: Workplace, plan: StudyPlan) -> str:
    """Return one rater's work in a planned study in words, without gold items, which are made later."""
    mine = Workload(plan.design.still_gets(0, len(plan.counted)), plan.design.practice)
    return _in_words(mine, plan.form, workplace.repository.studies.plan_reading(plan), plan.design)


def _in_words(mine: Workload, form: Form, reading: ReadingLoad, design: StudyDesign) -> str:
    minutes = expected_minutes(mine.total, item_seconds(form, reading), OPENING_SECONDS)
    about = f"{mine.words}, about {numbered(minutes, 'minute')}"
    return f"up to {about}" if design.raters_per_item is not None and design.items_per_rater is None else about


def study_warnings(workplace: Workplace, study: Study) -> tuple[str, ...]:
    """Return warnings about settings without effect, and about raters who cannot return to their platform."""
    repository = workplace.repository
    controls = repository.studies.controls(study.id)
    mine = study.workload(controls)
    usable = (link for link in repository.links.of_study(study.id) if link.state == "open")
    codes = (missing_codes_warning(study, link.panel) for link in usable if link.panel is not None)
    return tuple(filter(None, dict.fromkeys((unused_gold_warning(controls, mine), *codes))))


def unused_gold_warning(controls: Controls, mine: Workload) -> str:
    """Return a warning if raters get none of a study's gold items.

    Gold items have known answers. Returns "" if raters get gold items, or if the study has none.
    """
    if not controls.gold or mine.gold:
        return ""
    return (
        f"The study has {numbered(controls.gold, 'gold item')}, but raters get none. Under Quality, set how often gold "
        f"items are shown, for example one in every {max(2, mine.items // 3)} items."
    )


def missing_codes_warning(study: Study, platform: Platform) -> str:
    """Return a warning if a platform's raters lack a way to return.

    The warning names the raters who get neither a completion code nor a return address. "": there are no such raters.
    """
    missing = platform.missing(possible_ends(study))
    if not missing:
        return ""
    who = [f"who {ENDINGS[ending].raters}" for ending in missing]
    raters = who[0] if len(who) == 1 else f"{', '.join(who[:-1])} or {who[-1]}"
    return (
        f"The link for {platform.name} has no completion code or return address for raters {raters}. These raters "
        "cannot return to the platform. Close this link, and make a new one with all codes."
    )


def possible_ends(study: Study) -> tuple[Ending, ...]:
    """Return the ways to end a study after which raters return to their platform."""
    screens = any(question.screens_out for question in study.design.entry.before)
    can = {"done": True, "screened_out": screens, "full": study.design.raters_per_item is not None}
    return tuple(ending for ending in RETURNING if can[ending])
