"""Measure the quality of raters' work in a study. Measures are updated after every change."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from core.studies.asking.criteria import criterion_named
from core.studies.rater_quality.flags import Flag, flags
from core.studies.rater_quality.types import RaterQuality, StudyQuality
from storage.rating.rater_quality.columns import StudyColumns
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Study
from ui.services.tables import Column, Table, count, number, text
from ui.services.workplace import Workplace

STUDIES_KEPT = 8


@dataclass(frozen=True, slots=True)
class MeasuredRater:
    """A rater's measurements, and the flags for those measurements that are beyond a threshold."""

    code: str
    excluded: bool  # True: the rater's answers do not count
    quality: RaterQuality
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class RaterQualityRow:
    """A rater's measurements as text. None: there are no data from which to compute the value."""

    rater: str
    excluded: str  # "excluded" if the rater's answers do not count, else ""
    flags: str  # measures above or below their limits, in words; "": there are none
    items: int
    minutes: float
    item_seconds: float | None
    word_seconds: float | None
    longest_run: int
    entropy: float | None
    abstained: float | None
    gold: str  # number of passed gold items and number of all gold items; "": no gold items
    repeats_equal: str
    repeats_within_one: str
    correlation: float | None
    alpha_without: float | None


@dataclass(frozen=True, slots=True)
class MeasuredRaters:
    """The measurements of a study's raters."""

    alpha: float | None  # ordinal alpha of the counted answers, mean over criteria
    watch: RaterQualitySettings
    raters: tuple[MeasuredRater, ...]  # raters in the order in which they joined


class Monitor:
    """Measures the work of studies' raters. It caches results and reads only new answers."""

    def __init__(self, workplace: Workplace) -> None:
        self._workplace = workplace
        self._turn = Lock()  # one thread measures at a time, so that waiting threads find the result in the cache
        # Key: study. The study that was used last is at the end.
        self._known: OrderedDict[int, tuple[StudyColumns, StudyQuality]] = OrderedDict()

    def look(self, study_id: int) -> MeasuredRaters:
        """Return the measurements of a study's raters. Raises NotFound."""
        repository = self._workplace.repository
        study, watch = repository.studies.get(study_id), repository.quality.watch(study_id)
        with self._turn:
            columns, measured = self._measured(study)
        watched = (
            MeasuredRater(code, code in columns.excluded, quality, flags(quality, watch.thresholds))
            for code, quality in zip(columns.codes, measured.raters, strict=True)
        )
        return MeasuredRaters(
            alpha=measured.alpha,
            watch=watch,
            raters=tuple(watched),
        )

    def _measured(self, study: Study) -> tuple[StudyColumns, StudyQuality]:
        from core.studies.rater_quality.measures import (
            study_quality,  # imported late, because this imports scipy and pandas
        )

        before = self._known.pop(study.id, None)
        columns = self._workplace.repository.quality.columns(study.id, before and before[0])
        if before is not None and columns.answers is before[0].answers:
            measured = before[1]
        else:
            scales = [len(criterion_named(key, study.asks.criteria).scale) for key in columns.criteria]
            raters = len(columns.codes)
            measured = study_quality(columns.given, columns.answers, scales, raters)
        self._known[study.id] = columns, measured
        if len(self._known) > STUDIES_KEPT:
            self._known.popitem(last=False)
        return columns, measured


def watched_table(raters: MeasuredRaters) -> Table[RaterQualityRow]:
    """Return the measurements of a study's raters as a table."""
    title = f"Work of each rater (ordinal α of included ratings: {_alpha(raters.alpha)})"
    return Table(title, _COLUMNS, [_row(rater) for rater in raters.raters])


def _alpha(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _row(rater: MeasuredRater) -> RaterQualityRow:
    one = rater.quality
    return RaterQualityRow(
        rater=rater.code,
        excluded="excluded" if rater.excluded else "",
        flags="; ".join(flag.words for flag in rater.flags),
        items=one.items,
        minutes=one.minutes,
        item_seconds=one.item_seconds,
        word_seconds=one.word_seconds,
        longest_run=one.longest_run,
        entropy=one.entropy,
        abstained=one.abstained,
        gold=_of(one.gold_passed, one.gold),
        repeats_equal=_of(one.repeats_equal, one.repeats),
        repeats_within_one=_of(one.repeats_within_one, one.repeats),
        correlation=one.correlation,
        alpha_without=one.alpha_without,
    )


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole else ""


_COLUMNS = (
    text("rater", "rater"),
    text("excluded because", "excluded", undefined="", brief=False),
    text("flags", "flags", undefined="none", brief=False),
    count("items", "items"),
    number("minutes", "minutes", 1),
    number("seconds per item", "item_seconds", 1, undefined="–"),
    number("seconds per word", "word_seconds", 2, undefined="–"),
    count("longest run", "longest_run"),
    number("entropy", "entropy", 2, undefined="–", brief=False),
    Column("abstained", ("abstained",), "share", undefined="–", brief=False),
    text("gold passed", "gold", undefined="–"),
    text("repeats equal", "repeats_equal", undefined="–", brief=False),
    text("repeated answers within one point", "repeats_within_one", undefined="–"),
    number("r with others", "correlation", 2, undefined="–"),
    number("α without", "alpha_without", 3, undefined="–", brief=False),
)
