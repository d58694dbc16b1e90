"""Studies as raters see them. They never name a metric.

Each response is written field by field, so that no internal value reaches a rater by accident (ui.web.json.rating).
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.studies.asking.criteria import Criterion
from core.studies.asking.form import Layout, Rates
from core.studies.asking.form_words import Amount, evaluator_text, missing_text
from core.studies.design import Stop
from core.studies.planning.minutes import OPENING_SECONDS, ReadingLoad, expected_minutes, item_seconds
from storage import Repository
from storage.engine.database import utc_now
from storage.study_types import Outlook, Rater, Study


@dataclass(frozen=True, slots=True)
class RatedStudyJson:
    """A study as raters see it."""

    id: int
    title: str
    notice: str  # notice for everybody who sees the study's scores; "" if there is none
    form: Layout
    items: int  # number of items that this rater can still get; includes gold items, but no practice items
    practice: int  # number of practice items; they come first, and their answers are not part of the results
    done: int  # number of this rater's finished items, without practice
    is_most: bool  # True: `items` is a maximum, because other raters may take some of the items
    minutes: int  # approximate minutes left, including practice
    contact: str  # whom raters can ask; "": nobody is named
    without_picture: int  # number of the study's items without a picture
    of_items: int  # number of all items in the study; one rater may get fewer
    missing: str  # message that pictures are missing, and what to do; "": no picture is missing
    evaluator: str  # label of explanations if there are several; the explanation's number replaces {number}
    veil: bool  # True: the picture is hidden until the questions before it are answered
    overlay: bool  # True: regions are shown on the picture
    criteria: tuple[Criterion, ...]
    instructions: tuple[str, ...]  # paragraphs of the instructions, in which ** marks emphasis
    rates: Rates  # what raters judge: explanations or captions
    shows_score: bool
    stopped: Stop | None  # reason why nobody can rate at the moment; None: rating is possible
    asks_first: bool  # True: consent or questions come before the instructions


def rated_studies(
    repository: Repository,
    wanted: Collection[int],
    every: Iterable[Study],
    rater: Rater | None = None,
) -> tuple[RatedStudyJson, ...]:
    """Return studies as raters see them.

    For each study, the result states how many items this rater can still get. every: all studies on the server. No
    title that raters see may contain the name of a metric in these studies. rater None: a new rater.
    """
    known = tuple(every)
    metrics = {metric for study in known for metric in study.metrics}
    shown = {study.dataset for study in known if study.id in wanted}
    captioners = {dataset: repository.analysis.captioner_names(dataset) for dataset in shown}
    texts = repository.studies.reading(wanted)
    return tuple(
        _study_json(
            study,
            rater_title(study, metrics, captioners[study.dataset]),
            texts[study.id],
            repository.desk.outlook(study.id, rater),
        )
        for study in known
        if study.id in wanted
    )


def rater_title(study: Study, metrics: Iterable[str], captioners: Iterable[str] = ()) -> str:
    """Return the name of a study that raters see.

    If the study's name reveals a metric or a captioner, a number replaces it.
    """
    name = study.name.casefold()
    reveals = any(metric.casefold() in name for metric in metrics) or any(_names(name, one) for one in captioners)
    return f"Study {study.id}" if reveals else study.name


def _names(name: str, captioner: str) -> bool:
    """Return whether a study's name contains a captioner's name.

    Only whole words count, because a captioner may be called "a".
    """
    return re.search(rf"(?<!\w){re.escape(captioner.casefold())}(?!\w)", name) is not None


def _study_json(
    study: Study,
    title: str,
    reading: ReadingLoad,
    outlook: Outlook,
) -> RatedStudyJson:
    left, asks, words = outlook.left, study.asks, study.asks.introduction.words
    before = 0.0 if outlook.done else OPENING_SECONDS
    has_pictures = study.without_picture < study.items
    is_taken = not (left.total or outlook.done)
    return RatedStudyJson(
        id=study.id,
        title=title,
        notice=study.notice,
        form=study.form,
        items=left.rated,
        practice=left.practice,
        done=outlook.done,
        is_most=outlook.is_most,
        minutes=expected_minutes(left.total, item_seconds(asks, reading), before),
        contact=study.design.contact,
        without_picture=study.without_picture,
        of_items=study.items,
        missing=missing_text(words, study.without_picture, study.items, any(one.unseen for one in asks.criteria)),
        evaluator=evaluator_text(words),
        veil=bool(study.design.veil) and has_pictures,
        overlay=bool(study.design.overlay) and has_pictures,
        criteria=asks.criteria,
        instructions=asks.introduction.filled(
            Amount(outlook.done + left.rated, outlook.is_most),
            study.panels,
            len(asks.criteria),
            study.design.divided(reading.divided),
        ),
        rates=asks.rates,
        shows_score=asks.shows.score,
        stopped=study.design.stop(study.state, utc_now()) or ("full" if is_taken else None),
        asks_first=bool(study.design.consent or study.design.before),
    )
