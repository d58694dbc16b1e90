"""The answers to a rater's browser: none of them names a metric, a sample or a file.

They are written field by field, so that a field that is added to a domain value never reaches a rater unnoticed.
tests/ui/web/test_wire.py reads their names, and tests/ui/test_blinding.py every byte of whole studies.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from core.json_types import Rationales
from core.regions import masks, outlines
from core.studies.asking.criteria import Criterion
from core.studies.asking.form import Layout, Rates
from core.studies.asking.form_words import Amount, evaluator_text, missing_text
from core.studies.asking.instructions import instructions
from core.studies.planning.duration import ReadingLoad, expected_minutes, item_seconds
from core.studies.planning.life_cycle import Stop
from core.studies.results.evidence import JudgedSentence, Remark
from core.studies.study_design import DECIMALS, StudyDesign
from core.types import ImageRegion
from storage import Repository
from storage.engine.database import utc_now
from storage.types import AssignedItem, Outlook, Panel, Queue, Rater, Study
from ui.services.transfer.seals import Seals
from ui.web.access.refusals import Refusal
from ui.web.access.security import Secret
from ui.web.json.outcomes import LinksJson, explanation_json


@dataclass(frozen=True, slots=True)
class RaterJson:
    """Who rates."""

    code: str
    return_key: str  # what proves on another computer that the code is theirs


@dataclass(frozen=True, slots=True)
class SessionJson:
    """Who rates in this browser."""

    rater: RaterJson | None  # None: nobody has said so yet
    given: str | None  # the code that comes with the link by which the page was opened
    panel: str | None = None  # that sends people to this page; they give no code


@dataclass(frozen=True, slots=True)
class RatedStudyJson:
    """A study as its raters know it."""

    id: int
    title: str
    notice: str  # what everybody who sees its scores should know; empty for nothing
    form: Layout
    items: int  # that this rater can still meet after practice; gold and repeats are among them
    practice: int  # items that come before and do not count
    done: int  # items that this rater has finished, practice not counted
    is_most: bool  # other raters may take some of the items first
    minutes: int  # that the items and practice take, about
    without_picture: int  # items of the study whose picture is missing
    of_items: int  # all items of the study, of which one rater may get fewer
    missing: str  # that pictures are missing, and what to do then; empty: none is
    evaluator: str  # what an explanation is called where several stand side by side; {number} is its number
    veil: bool  # the picture is given only once everything is answered that is judged without it
    overlay: bool  # regions are shown
    criteria: tuple[Criterion, ...]
    instructions: tuple[str, ...]  # paragraphs; ** marks emphasis
    rates: Rates  # what is judged
    shows_score: bool
    evidence: bool  # explanations are judged sentence by sentence; who sees hints is not told of a study
    stopped: Stop | None  # why nobody gets items now
    asks_first: bool  # consent or questions come before the instructions


@dataclass(frozen=True, slots=True)
class StandingJson:
    """Whether a rater can go on."""

    stopped: Stop | None  # why not


@dataclass(frozen=True, slots=True)
class PlaceJson:
    """A part of the picture."""

    label: str | None
    area: float  # of the picture, [0, 1]
    path: str  # of an SVG over the picture's own pixels


@dataclass(frozen=True, slots=True)
class PanelJson:
    """An explanation to rate, with the answers so far."""

    value: float | None  # within scale, of DECIMALS: more would tell one metric from another; None: it is not shown
    scale: tuple[float, float]
    rationales: Rationales
    answers: Mapping[str, int]  # criterion -> point
    caption: str | None  # where captions are compared
    sentences: tuple[JudgedSentence, ...]  # empty unless they are judged one by one
    remark: Remark | None  # on the whole explanation


@dataclass(frozen=True, slots=True)
class ItemJson:
    """An item given to the rater."""

    id: str
    place: int  # in the rater's own order, from 1
    caption: str
    image: str | None  # address of the picture; None: it is missing
    image_size: tuple[int, int] | None  # (width, height) in px
    panels: tuple[PanelJson, ...]
    open: bool  # the picture is given: there is no veil, or it is off
    revealed: bool
    finished: bool
    practice: bool  # it does not count, and what would have been right is told afterwards
    note: str
    regions: LinksJson | None  # None: none, or the veil is still on
    references: tuple[str, ...]  # descriptions by people; empty unless the form shows them
    places: tuple[PlaceJson, ...]  # parts of the picture that evidence may point at
    hints: bool  # may be asked for, of sentences that are judged
    seal: str  # the server's own note of what this item is; sent with an answer whose item it does not know any more


@dataclass(frozen=True, slots=True)
class FeedbackJson:
    """What is said of the answers to a practice item."""

    given: Mapping[str, tuple[int, ...]]  # criterion -> points, one an explanation
    right: Mapping[str, tuple[int, int]]  # criterion -> lowest and highest right point
    words: str


@dataclass(frozen=True, slots=True)
class QueueJson:
    """The rater's place in a study, and some of the items."""

    total: int  # items the rater has been promised; it does not shrink while they rate
    free: int  # more that the rater may get while nobody else takes them, counted up to 20
    ahead: int  # items to fetch before they are needed
    done: int
    resume: int  # place of the first unfinished item; one past the last given out when there is none
    items: tuple[ItemJson, ...]
    stopped: Stop | None  # why there is nothing to rate, now or at all
    practice: tuple[int, ...]  # places of practice items, also of those to come
    epoch: str  # as EpochJson's


@dataclass(frozen=True, slots=True)
class SaveJson:
    """What became of one thing that the rater did."""

    key: str | None  # as it was sent; None where it was none
    saved: bool
    refusal: Refusal | None  # why it was not saved


@dataclass(frozen=True, slots=True)
class SavesJson:
    """What became of everything that was sent, in its order."""

    results: tuple[SaveJson, ...]
    epoch: str  # as EpochJson's


@dataclass(frozen=True, slots=True)
class ComparedJson:
    """Which of a browser's answers the server lacks."""

    missing: tuple[str, ...]  # keys, in the order in which they were sent
    epoch: str  # as EpochJson's


@dataclass(frozen=True, slots=True)
class EpochJson:
    """The database's epoch."""

    epoch: str  # changes whenever the database may have gone back to an earlier time


def session_json(
    secret: Secret, rater: Rater | None, given: str | None = None, panel: str | None = None
) -> SessionJson:
    """Return who rates, with the key that only they may see."""
    return SessionJson(None if rater is None else RaterJson(rater.code, secret.return_key(rater.id)), given, panel)


def rated_studies(
    repository: Repository, wanted: Collection[int], every: Iterable[Study], rater: Rater | None = None
) -> tuple[RatedStudyJson, ...]:
    """Return the wanted studies of every study as a rater may see them, with what this rater can still meet.

    every: all studies whose metrics may be named in a title. rater: None for a new one.
    """
    known = tuple(every)
    metrics = {metric for study in known for metric in study.metrics}
    texts, asking = repository.studies.reading(wanted), repository.visits.asking()
    return tuple(
        _study_json(study, metrics, texts[study.id], repository.desk.outlook(study.id, rater), study.id in asking)
        for study in known
        if study.id in wanted
    )


def rater_title(study: Study, metrics: Iterable[str]) -> str:
    """Return a study's name as raters may see it: a name that gives a metric away is replaced by a number."""
    name = study.name.casefold()
    return f"Study {study.id}" if any(metric.casefold() in name for metric in metrics) else study.name


def queue_json(queue: Queue, seals: Seals, epoch: str) -> QueueJson:
    """Return a rater's place in a study and some items."""
    items = tuple(_item_json(item, queue.design, seals) for item in queue.items)
    return QueueJson(
        total=queue.total,
        free=queue.free,
        ahead=queue.ahead,
        done=queue.done,
        resume=queue.resume,
        items=items,
        stopped=queue.stopped,
        practice=queue.practice,
        epoch=epoch,
    )


def _study_json(
    study: Study, metrics: Iterable[str], reading: ReadingLoad, outlook: Outlook, asks_first: bool
) -> RatedStudyJson:
    left, asks, words = outlook.left, study.asks, study.asks.introduction.words
    has_pictures = study.without_picture < study.items
    pictures = outlook.pictures if study.without_picture else None
    is_taken = not (left.total or outlook.done)
    return RatedStudyJson(
        id=study.id,
        title=rater_title(study, metrics),
        notice=study.notice,
        form=study.form,
        items=left.rated,
        practice=left.practice,
        done=outlook.done,
        is_most=outlook.is_most,
        minutes=expected_minutes(left.total, item_seconds(asks, reading)),
        without_picture=study.without_picture,
        of_items=study.items,
        missing=missing_text(
            words, study.without_picture, study.items, any(criterion.unseen for criterion in asks.criteria)
        ),
        evaluator=evaluator_text(words),
        veil=bool(study.veil) and has_pictures,
        overlay=bool(study.overlay) and has_pictures,
        criteria=asks.criteria,
        instructions=instructions(
            asks.introduction,
            Amount(outlook.done + left.rated, outlook.is_most, pictures, outlook.is_most_pictures),
            study.panels,
            len(study.criteria),
            study.divided(reading.divided),
            panels_differ=reading.panels < study.panels - 0.001,  # the mean over items: one of a thousand is told
            has_pictures=has_pictures,
        ),
        rates=asks.rates,
        shows_score=asks.shows.score,
        evidence=asks.evidence is not None,
        stopped=study.course.stop(utc_now()) or ("full" if is_taken else None),
        asks_first=asks_first,
    )


def _item_json(item: AssignedItem, design: StudyDesign, seals: Seals) -> ItemJson:
    return ItemJson(
        id=item.id,
        place=item.place,
        caption=item.caption,
        image=None if item.image_size is None else f"/api/rate/items/{item.id}/image",
        image_size=item.image_size,
        panels=tuple(_panel_json(panel, design) for panel in item.panels),
        open=item.open,
        revealed=item.revealed,
        finished=item.finished,
        practice=item.practice,
        note=item.note,
        regions=_regions_json(item),
        references=item.references,
        places=tuple(_place_json(place) for place in item.places),
        hints=item.hints,
        seal="" if item.handout is None else seals.seal(item.handout),
    )


def _place_json(region: ImageRegion) -> PlaceJson:
    """Return a region's outline and share of the picture."""
    height, width = region.size
    area = masks.area(region.rle, region.size) / (height * width)
    return PlaceJson(region.label, round(area, 6), outlines.svg_path(region.rle, region.size))


def _panel_json(panel: Panel, design: StudyDesign) -> PanelJson:
    value = None if panel.value is None else design.shown_score(panel.value)
    words = design.shown_texts(panel.rationales)
    return PanelJson(value, panel.scale, words, panel.answers, panel.caption, panel.sentences, panel.remark)


def _regions_json(item: AssignedItem) -> LinksJson | None:
    """Return regions and phrases without the name, the signature or the value of the score that they belong to."""
    if item.overlay is None or item.image_size is None:
        return None
    links = explanation_json(item.overlay.explanation)
    if links is None:
        return None
    phrases = tuple(replace(phrase, support=round(phrase.support, DECIMALS)) for phrase in links.phrases)
    regions = tuple(replace(region, support=round(region.support, DECIMALS)) for region in links.regions)
    return replace(links, phrases=phrases, regions=regions)  # marks stay as the exact numbers made them
