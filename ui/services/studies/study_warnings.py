"""Warn a study's manager of settings without effect, and of raters who cannot return to their platform."""

from core.studies.planning.control_places import Controls, Workload
from core.studies.planning.recruitment import EndKind, Platform
from storage.engine.database import utc_now
from storage.study_types import Study
from ui.services.studies.controls import makings
from ui.services.workplace import Workplace

_WHO: dict[EndKind, str] = {
    "done": "finish",
    "screened_out": "are screened out",
    "full": "find the study full",
}


def study_warnings(workplace: Workplace, study: Study, controls: Controls, mine: Workload) -> tuple[str, ...]:
    """Return the warnings about a study. Each has a few sentences. mine: the largest workload of a rater."""
    repository = workplace.repository
    usable = tuple(link for link in repository.links.of_study(study.id) if link.state(utc_now()) == "open")
    platforms = dict.fromkeys(repository.panel_links.panels(usable).values())
    codes = (missing_codes_warning(workplace, study, one) for one in platforms)
    checks = (practice_warning(study, mine.practice), unused_gold_warning(controls, mine))
    return tuple(filter(None, (*checks, *codes)))


def unused_gold_warning(controls: Controls, mine: Workload) -> str:
    """Return a warning if raters get none of a study's gold items.

    Gold items have known answers. Returns "" if raters get gold items, or if the study has none.
    """
    if not controls.gold or mine.gold:
        return ""
    if controls.gold_every is None:
        often = "no gold item is shown. Under Quality, set how often gold items are shown."
    else:
        often = (
            f"only one in every {controls.gold_every} items is a gold item, and a rater gets {mine.items} items. Under "
            f"Quality, show gold items more often, for example one in every {max(2, mine.items // 3)} items."
        )
    return f"The study has {controls.gold} gold {_items(controls.gold)}, but raters get none, because {often}"


def practice_warning(study: Study, practice: int) -> str:
    """Return a warning if a study lacks practice items that its form requires.

    "": the study has enough practice items, or none can be made. practice: number of practice items that a rater gets.
    """
    asked = study.asks.practice_items
    if practice >= asked or not makings(study):
        return ""
    return (
        f"The form asks for {asked} practice {_items(asked)}, and the study has {practice}. Make "
        "practice items under Quality before raters come."
    )


def missing_codes_warning(workplace: Workplace, study: Study, platform: Platform) -> str:
    """Return a warning if a platform's raters lack a way to return.

    The warning names the raters who get neither a completion code nor a return address. "": there are no such raters.
    """
    missing = platform.missing(possible_ends(workplace, study))
    if not missing:
        return ""
    who = [f"who {_WHO[kind]}" for kind in missing]
    raters = who[0] if len(who) == 1 else f"{', '.join(who[:-1])} or {who[-1]}"
    return (
        f"The link for {platform.name} has no completion code or return address for raters {raters}. These raters "
        "cannot return to the platform. Under Links for raters, press Change codes of this link."
    )


def possible_ends(workplace: Workplace, study: Study) -> tuple[EndKind, ...]:
    """Return the ways in which raters can leave or finish a study."""
    entry = workplace.repository.visits.entry(study.id)
    can_happen: dict[EndKind, bool] = {
        "done": True,
        "screened_out": any(question.screens_out for question in entry.before),
        "full": study.raters_per_item is not None,
    }
    return tuple(kind for kind, can in can_happen.items() if can)


def _items(number: int) -> str:
    return "item" if number == 1 else "items"
