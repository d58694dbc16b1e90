"""What the list of studies and a study's page say about a study: its size, its state and the next step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.studies.asking.form_words import numbered
from core.studies.design import State
from core.studies.planning.platforms import ENDINGS
from core.studies.results.flow import StudyRater, stage_counts
from storage.engine.database import utc_now
from storage.study_types import Study

MEANINGS: dict[State, str] = {
    "draft": "Raters get no items yet.",
    "running": "Raters get items.",
    "paused": "Raters get no items. Their answers are kept, and late answers are still stored.",
    "closed": "Raters get no more items. Late answers are still stored.",
}
VERBS: Mapping[State, str] = {
    "running": "Start study",
    "paused": "Pause study",
    "closed": "Close study",
}


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How much of a study is rated. An item rating is one item, rated by one rater."""

    finished: int  # number of item ratings that count in the results
    needed: int | None  # number of item ratings that the study needs; None: no number is set, or no rater came yet
    raters: int
    skipped: int  # number of skipped items, summed over raters

    @property
    def is_complete(self) -> bool:
        """Return whether all needed ratings are there."""
        return self.needed is not None and 0 < self.needed <= self.finished


def study_progress(study: Study, raters: Sequence[StudyRater]) -> StudyProgress:
    """Return how much of a study is rated."""
    joined = [one for one in raters if one.number is not None]
    counting = [one for one in joined if one.excluded_at is None]
    an_item = study.design.raters_per_item
    each = study.items_for_one * len(counting) if an_item is None else study.items * an_item
    skipped = sum(one.done - one.counted for one in joined)
    return StudyProgress(sum(one.counted for one in counting), each or None, len(joined), skipped)


def size_text(study: Study) -> str:
    """Return a study's size, such as "24 captions × 2 metrics = 48 items"."""
    return size_words(study.captions, len(study.metrics) if study.form == "single" else 1, study.items)


def size_words(captions: int, metrics: int, items: int) -> str:
    """Return a size in words. metrics: number of metrics that are rated one by one; 1: none are."""
    some, rated = numbered(captions, "caption"), numbered(items, "item")
    if metrics < 2:
        return some if items == captions else f"{some}, {rated}"
    if captions * metrics != items:
        return f"{some}, {metrics} metrics, {rated}"
    return f"{some} × {metrics} metrics = {rated}"


def raters_text(study: Study) -> str:
    """Return how many raters an item gets."""
    if study.design.raters_per_item is None:
        return "every rater rates every item"
    return f"{numbered(study.design.raters_per_item, 'rater')} an item"


def is_over(study: Study) -> bool:
    """Return whether a study gives out no items because its deadline has passed."""
    return study.state == "running" and study.design.is_over(study.state, utc_now())


def stages_in_words(raters: Iterable[StudyRater]) -> dict[str, int]:
    """Return how many raters are in each stage; key: the stage in words."""
    words = {str(ending): one.step for ending, one in ENDINGS.items()}
    return {words.get(stage, stage): count for stage, count in stage_counts(raters).items()}
