"""What a rater's browser is sent, field by field: nothing that names a metric, a sample or a file is among it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.studies.criteria import Criterion, criterion_named
from core.studies.instructions import instructions
from core.studies.planning import Form
from storage.types import AssignedItem, Panel, Queue, Rater, Study
from ui.web.outcome_json import LinksJson, RationaleJson, explanation_json, rationales_json
from ui.web.refusals import Refusal
from ui.web.security import Secret


@dataclass(frozen=True, slots=True)
class RaterJson:
    """Who rates."""

    code: str
    return_key: str  # what proves on another computer that the code is theirs


@dataclass(frozen=True, slots=True)
class SessionJson:
    """Who rates in this browser."""

    rater: RaterJson | None  # None: nobody has said so yet
    given: str | None  # the code that comes with the link by which the page was opened, for who has not begun


@dataclass(frozen=True, slots=True)
class RatedStudyJson:
    """A study as its raters know it."""

    id: int
    title: str
    notice: str  # what everybody who sees its scores should know; empty for nothing
    form: Form
    items: int
    veil: bool  # the picture is shown only once that is asked for
    overlay: bool  # regions are shown
    criteria: tuple[Criterion, ...]
    instructions: tuple[str, ...]  # paragraphs; ** marks emphasis


@dataclass(frozen=True, slots=True)
class PanelJson:
    """An explanation to rate, with the answers so far."""

    value: float  # within scale
    scale: tuple[float, float]
    rationales: tuple[RationaleJson, ...]
    answers: Mapping[str, int]  # criterion -> point


@dataclass(frozen=True, slots=True)
class ItemJson:
    """An item given to the rater."""

    id: str
    place: int  # in the rater's own order, from 1
    caption: str
    image: str | None  # address of the picture; None: it is missing
    image_size: tuple[int, int] | None  # (width, height) in px
    panels: tuple[PanelJson, ...]
    revealed: bool
    finished: bool
    note: str
    regions: LinksJson | None  # None: none, or the veil is still on


@dataclass(frozen=True, slots=True)
class QueueJson:
    """The rater's place in a study, and some of the items."""

    total: int  # items the rater has or can still get
    done: int
    resume: int  # place of the first unfinished item; one past the last given out when there is none
    items: tuple[ItemJson, ...]


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


def session_json(secret: Secret, rater: Rater | None, given: str | None = None) -> SessionJson:
    """Return who rates, with the key that only they may see."""
    return SessionJson(None if rater is None else RaterJson(rater.code, secret.return_key(rater.id)), given)


def studies_json(studies: Iterable[Study]) -> tuple[RatedStudyJson, ...]:
    """Return studies as raters may see them."""
    every = tuple(studies)
    metrics = {metric for study in every for metric in study.metrics}
    return tuple(_study_json(study, metrics) for study in every)


def rater_title(study: Study, metrics: Iterable[str]) -> str:
    """Return a study's name as raters may see it: a name that gives a metric away is replaced by a number."""
    name = study.name.casefold()
    return f"Study {study.id}" if any(metric.casefold() in name for metric in metrics) else study.name


def queue_json(queue: Queue) -> QueueJson:
    """Return a rater's place in a study and some items."""
    return QueueJson(queue.total, queue.done, queue.resume, tuple(map(_item_json, queue.items)))


def _study_json(study: Study, metrics: Iterable[str]) -> RatedStudyJson:
    return RatedStudyJson(
        id=study.id,
        title=rater_title(study, metrics),
        notice=study.notice,
        form=study.form,
        items=study.items,
        veil=study.veil,
        overlay=study.overlay,
        criteria=tuple(criterion_named(key) for key in study.criteria),
        instructions=instructions(study.form, study.items, study.panels, len(study.criteria)),
    )


def _item_json(item: AssignedItem) -> ItemJson:
    return ItemJson(
        id=item.id,
        place=item.place,
        caption=item.caption,
        image=None if item.image_size is None else f"/api/rate/items/{item.id}/image",
        image_size=item.image_size,
        panels=tuple(map(_panel_json, item.panels)),
        revealed=item.revealed,
        finished=item.finished,
        note=item.note,
        regions=_regions_json(item),
    )


def _panel_json(panel: Panel) -> PanelJson:
    return PanelJson(panel.value, panel.scale, rationales_json(panel.rationales), panel.answers)


def _regions_json(item: AssignedItem) -> LinksJson | None:
    """Return regions and phrases without the name, the signature or the value of the score that they belong to."""
    if item.overlay is None or item.image_size is None:
        return None
    return explanation_json(item.overlay.explanation)
