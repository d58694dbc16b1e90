"""JSON for a rater's browser. It never names a metric, a sample or a file.

Each response is written field by field, so that a new field of an internal value never reaches a rater by accident.
tests/ui/web/test_wire.py checks the names of the fields. tests/ui/test_blinding.py checks every byte of whole studies.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from core.json_types import Rationales
from core.regions import masks, outlines
from core.studies.asking.criteria import UNSEEN, Criterion
from core.studies.asking.form import Layout, Rates
from core.studies.asking.form_words import Amount, evaluator_text, missing_text
from core.studies.asking.instructions import instructions
from core.studies.asking.item_report import ItemReport
from core.studies.asking.worked_example import ExampleLine, WorkedExample, example_lines
from core.studies.planning.duration import ReadingLoad, expected_minutes, gate_seconds, item_seconds
from core.studies.planning.life_cycle import Stop
from core.studies.results.evidence import JudgedSentence, Remark
from core.studies.study_design import DECIMALS, StudyDesign
from core.types import ImageRegion
from storage import Repository
from storage.engine.database import utc_now
from storage.types import AssignedItem, Outlook, Panel, Queue, Rater, Study
from ui.services.texts.catalogues import Catalogue, Catalogues
from ui.services.transfer.seals import Seals
from ui.web.access.refusals import Refusal
from ui.web.access.security import Secret
from ui.web.json.outcomes import LinksJson, explanation_json


@dataclass(frozen=True, slots=True)
class RaterJson:
    """A rater."""

    code: str
    return_key: str  # proves on another computer that the code belongs to the rater


@dataclass(frozen=True, slots=True)
class SessionJson:
    """The rater of this browser."""

    rater: RaterJson | None  # None: no rater has entered yet
    given: str | None  # the code in the link that opened the page
    panel: str | None = None  # name of the recruitment platform that sends raters to this page; they enter no code


@dataclass(frozen=True, slots=True)
class ExampleJson:
    """The worked example of a form, in words."""

    picture: str  # the picture in words; "": not described
    captions: tuple[str, ...]
    values: tuple[str, ...]  # the score of each explanation; empty if no score is shown
    explanations: tuple[str, ...]
    answers: tuple[ExampleLine, ...]  # correct answers, each with the reason


@dataclass(frozen=True, slots=True)
class RatedStudyJson:
    """A study as raters see it."""

    id: int
    title: str
    notice: str  # notice for everybody who sees the study's scores; "" if there is none
    form: Layout
    items: int  # non-practice items that this rater can still get, with gold and repeats
    practice: int  # practice items, which come first and do not count
    done: int  # finished items of this rater, without practice
    is_most: bool  # True: other raters may get some of the items first
    minutes: int  # approximate minutes left, including practice, comprehension check and worked example
    hourly_pay: str | None  # pay for an hour of work, such as £9.50
    reward: str | None  # what the recruitment platform pays
    contact: str  # whom raters can ask; "": nobody is named
    without_picture: int  # number of the study's items without a picture
    of_items: int  # number of all items in the study; one rater may get fewer
    missing: str  # message about missing pictures and what to do; "" if no picture is missing
    evaluator: str  # label for each of several explanations; {number} is its number
    veil: bool  # the picture is hidden until the questions before it are answered
    overlay: bool  # whether regions are visible
    criteria: tuple[Criterion, ...]
    instructions: tuple[str, ...]  # paragraphs; ** marks emphasis
    rates: Rates  # what raters judge
    shows_score: bool
    evidence: bool  # explanations are judged by sentence; raters must not know in advance whether they get hints
    stopped: Stop | None  # why nobody can rate now; None: rating is possible
    asks_first: bool  # consent or questions come before the instructions
    practice_until_right: bool  # practice items are repeated until the answers are right
    example: ExampleJson | None  # a worked example to read before practice
    language: str  # language of the page, a BCP 47 code with a catalogue


@dataclass(frozen=True, slots=True)
class StandingJson:
    """Whether a rater can continue."""

    stopped: Stop | None  # why the rater cannot continue; None: the rater can


@dataclass(frozen=True, slots=True)
class PlaceJson:
    """A region of the picture."""

    label: str | None
    area: float  # fraction of the picture, [0, 1]
    path: str  # SVG path in pixels of the picture


@dataclass(frozen=True, slots=True)
class PanelJson:
    """An explanation to rate, with the answers so far."""

    value: float | None  # within `scale`, rounded to DECIMALS: more digits would reveal the metric; None: hidden
    scale: tuple[float, float]
    rationales: Rationales
    answers: Mapping[str, int]  # key: criterion; value: point
    caption: str | None  # None unless captions are compared
    sentences: tuple[JudgedSentence, ...]  # empty if the form has no judgements of sentences
    remark: Remark | None  # remark on the whole explanation


@dataclass(frozen=True, slots=True)
class ItemJson:
    """An item of the rater."""

    id: str
    place: int  # position in this rater's order of items, from 1
    caption: str
    image: str | None  # address of the picture; None: it is missing
    image_size: tuple[int, int] | None  # (width, height) in px
    panels: tuple[PanelJson, ...]
    open: bool  # whether the picture is visible
    revealed: bool
    finished: bool
    practice: bool  # the item does not count, and the correct answers are shown afterwards
    note: str
    report: ItemReport | None  # the rater's report on the item
    regions: LinksJson | None  # None: there are no regions, or the picture is still hidden
    references: tuple[str, ...]  # captions that people wrote; empty unless the form shows them
    places: tuple[PlaceJson, ...]  # regions of the picture that answers may refer to
    hints: bool  # whether hints are available for judged sentences
    # Sealed handout of this item. The browser sends it with an answer if the server no longer knows the item
    seal: str


@dataclass(frozen=True, slots=True)
class FeedbackJson:
    """The feedback on the answers to a practice item."""

    given: Mapping[str, tuple[int, ...]]  # given points by criterion, one for each explanation
    right: Mapping[str, tuple[int, int]]  # lowest and highest correct point by criterion
    words: str
    passed: bool  # whether the rater may continue


@dataclass(frozen=True, slots=True)
class QueueJson:
    """The rater's position in a study, and some of the items."""

    total: int  # items promised to the rater; the number never falls during rating
    free: int  # further items that the rater gets unless other raters take them, counted up to 20
    ahead: int  # number of items to fetch in advance
    done: int
    resume: int  # position of the first unfinished item; one after the last item if all are finished
    items: tuple[ItemJson, ...]
    stopped: Stop | None  # why there is nothing to rate now, or at all
    practice: tuple[int, ...]  # positions of practice items, including future ones
    held_at: int | None  # position of a practice item that must be right before the rater gets later items
    epoch: str  # the database's epoch, see EpochJson


@dataclass(frozen=True, slots=True)
class SaveJson:
    """The result of one action of the rater."""

    key: str | None  # key as the browser sent it; None: no key was sent
    saved: bool
    refusal: Refusal | None  # why the action was not saved


@dataclass(frozen=True, slots=True)
class SavesJson:
    """The results of all actions that were sent, in their order."""

    results: tuple[SaveJson, ...]
    epoch: str  # the database's epoch, see EpochJson


@dataclass(frozen=True, slots=True)
class ComparedJson:
    """The answers in a browser that the server does not have."""

    missing: tuple[str, ...]  # keys of missing answers, in the order of the request
    epoch: str  # the database's epoch, see EpochJson


@dataclass(frozen=True, slots=True)
class EpochJson:
    """The database's epoch."""

    epoch: str  # changes when the database may have returned to an earlier version


def session_json(
    secret: Secret, rater: Rater | None, given: str | None = None, panel: str | None = None
) -> SessionJson:
    """Return the rater, with the key that only the rater may see."""
    return SessionJson(None if rater is None else RaterJson(rater.code, secret.return_key(rater.id)), given, panel)


def rated_studies(
    repository: Repository,
    wanted: Collection[int],
    every: Iterable[Study],
    catalogues: Catalogues,
    rater: Rater | None = None,
) -> tuple[RatedStudyJson, ...]:
    """Return studies in the form for raters, with the items that this rater can still get.

    every: all studies; a title must not contain their metrics. rater: None for a new rater.
    """
    known = tuple(every)
    metrics = {metric for study in known for metric in study.metrics}
    shown = {study.dataset for study in known if study.id in wanted}
    captioners = {dataset: repository.analysis.captioner_names(dataset) for dataset in shown}
    texts, asking = repository.studies.reading(wanted), repository.visits.asking()
    return tuple(
        _study_json(
            study,
            rater_title(study, metrics, captioners[study.dataset]),
            texts[study.id],
            repository.desk.outlook(study.id, rater),
            study.id in asking,
            catalogues.shown(study.language),
        )
        for study in known
        if study.id in wanted
    )


def rater_title(study: Study, metrics: Iterable[str], captioners: Iterable[str] = ()) -> str:
    """Return a study's name for raters. A name that reveals a metric or a captioner is replaced by a number."""
    name = study.name.casefold()
    reveals = any(metric.casefold() in name for metric in metrics) or any(_names(name, one) for one in captioners)
    return f"Study {study.id}" if reveals else study.name


def _names(name: str, captioner: str) -> bool:
    """Return whether a study's name contains a captioner's name as whole words. A captioner may be called "a"."""
    return re.search(rf"(?<!\w){re.escape(captioner.casefold())}(?!\w)", name) is not None


def queue_json(queue: Queue, seals: Seals, epoch: str) -> QueueJson:
    """Return a rater's position in a study, and some items."""
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
        held_at=queue.held_at,
        epoch=epoch,
    )


def _study_json(
    study: Study, title: str, reading: ReadingLoad, outlook: Outlook, asks_first: bool, catalogue: Catalogue
) -> RatedStudyJson:
    left, asks, words = outlook.left, study.asks, study.asks.introduction.words
    terms = study.course.terms
    has_pictures = study.without_picture < study.items
    pictures = outlook.pictures if study.without_picture else None
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
        minutes=expected_minutes(left.total, item_seconds(asks, reading), 0.0 if outlook.done else gate_seconds(asks)),
        hourly_pay=terms.hourly_text,
        reward=terms.reward_text,
        contact=terms.contact,
        without_picture=study.without_picture,
        of_items=study.items,
        missing=catalogue.translated(
            missing_text(words, study.without_picture, study.items, any(one.unseen for one in asks.criteria))
        ),
        # an English form's introduction uses the English name
        evaluator=evaluator_text(words) if words is None else catalogue.translated(evaluator_text(words)),
        veil=bool(study.veil) and has_pictures,
        overlay=bool(study.overlay) and has_pictures,
        criteria=tuple(_spoken(criterion, catalogue) for criterion in asks.criteria),
        instructions=instructions(
            asks.introduction,
            Amount(outlook.done + left.rated, outlook.is_most, pictures, outlook.is_most_pictures),
            study.panels,
            len(study.criteria),
            study.divided(reading.divided),
            # Mean over all items; if one of a thousand items has fewer explanations, that counts as different
            panels_differ=reading.panels < study.panels - 0.001,
            has_pictures=has_pictures,
        ),
        rates=asks.rates,
        shows_score=asks.shows.score,
        evidence=asks.evidence is not None,
        stopped=study.course.stop(utc_now()) or ("full" if is_taken else None),
        asks_first=asks_first,
        practice_until_right=asks.practice_until_right,
        example=None if asks.example is None else _example_json(asks.example, asks.criteria),
        language=catalogue.language,
    )


def _spoken(criterion: Criterion, catalogue: Catalogue) -> Criterion:
    """Return a criterion with the answer for a missing picture translated, unless the form has its own answer."""
    if criterion.unseen != UNSEEN:
        return criterion
    return replace(criterion, unseen=replace(UNSEEN, text=catalogue.translated(UNSEEN.text)))


def _example_json(example: WorkedExample, criteria: tuple[Criterion, ...]) -> ExampleJson:
    lines = tuple(example_lines(example, criteria))
    return ExampleJson(example.picture, example.captions, example.scores, example.explanations, lines)


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
        report=item.report,
        regions=_regions_json(item),
        references=item.references,
        places=tuple(_place_json(place) for place in item.places),
        hints=item.hints,
        seal="" if item.handout is None else seals.seal(item.handout),
    )


def _place_json(region: ImageRegion) -> PlaceJson:
    """Return a region with its outline and its fraction of the picture."""
    height, width = region.size
    area = masks.area(region.rle, region.size) / (height * width)
    return PlaceJson(region.label, round(area, 6), outlines.svg_path(region.rle, region.size))


def _panel_json(panel: Panel, design: StudyDesign) -> PanelJson:
    value = None if panel.value is None else design.shown_score(panel.value)
    words = design.shown_texts(panel.rationales)
    return PanelJson(value, panel.scale, words, panel.answers, panel.caption, panel.sentences, panel.remark)


def _regions_json(item: AssignedItem) -> LinksJson | None:
    """Return regions and phrases of a score without its name, signature or value."""
    if item.overlay is None or item.image_size is None:
        return None
    links = explanation_json(item.overlay.explanation)
    if links is None:
        return None
    phrases = tuple(replace(phrase, support=round(phrase.support, DECIMALS)) for phrase in links.phrases)
    regions = tuple(replace(region, support=round(region.support, DECIMALS)) for region in links.regions)
    return replace(links, phrases=phrases, regions=regions)  # marks keep the result of the exact numbers
