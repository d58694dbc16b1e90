"""JSON for a rater's browser. It never names a metric, a sample or a file.

Each response is written field by field, so that a new field of an internal value never reaches a rater by accident.
tests/ui/web/test_wire.py checks the names of the fields. tests/ui/test_blinding.py checks every byte of whole studies.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.json_types import Rationales
from core.studies.asking.item_report import ItemReport
from core.studies.design import Stop, StudyDesign
from storage.study_types import AssignedItem, Panel, Queue, Rater
from ui.services.key_file import Secret
from ui.web.access.refusals import Refusal
from ui.web.json.outcomes import LinksJson, explanation_json


@dataclass(frozen=True, slots=True)
class RaterJson:
    """A rater."""

    code: str
    return_key: str  # key with which the rater proves on another computer that the code is the rater's own


@dataclass(frozen=True, slots=True)
class SessionJson:
    """The rater of this browser."""

    rater: RaterJson | None  # the rater of this browser; None: no rater has entered yet
    given: str | None  # the code in the link that opened the page
    panel: str | None = None  # name of the recruitment platform that sends raters to this page; they enter no code


@dataclass(frozen=True, slots=True)
class StandingJson:
    """Whether a rater can continue."""

    stopped: Stop | None  # reason why the rater cannot continue; None: the rater can continue


@dataclass(frozen=True, slots=True)
class PanelJson:
    """An explanation or a caption to rate, with the rater's answers so far."""

    value: float | None  # score on `scale`, rounded to DECIMALS, as more digits would reveal the metric; None: hidden
    scale: tuple[float, float]
    rationales: Rationales
    answers: Mapping[str, int]  # key: criterion; value: point that the rater chose on the criterion's scale
    caption: str | None  # the caption to rate; None: the raters do not compare captions


@dataclass(frozen=True, slots=True)
class ItemJson:
    """An item of the rater."""

    id: str
    place: int  # position in this rater's order of items, from 1
    caption: str
    image: str | None  # address of the picture; None: it is missing
    image_size: tuple[int, int] | None  # (width, height) of the picture in px; None: the picture is missing
    panels: tuple[PanelJson, ...]
    open: bool  # True: the rater may see the picture
    revealed: bool
    finished: bool
    practice: bool  # True: the item is practice, so results exclude it
    note: str
    report: ItemReport | None  # the rater's report that something is wrong with the item; None: no report
    regions: LinksJson | None  # None: there are no regions, or the picture is still hidden
    references: tuple[str, ...]  # captions that people wrote; empty: the study's form shows none


@dataclass(frozen=True, slots=True)
class QueueJson:
    """A rater's position in a study, and the items that the browser requested."""

    total: int  # number of items that the rater was promised; it never falls during rating
    free: int  # number of further items that the rater gets unless others take them first, at most 20
    ahead: int  # number of items to fetch in advance
    done: int
    skipped: int  # how many of the `done` items the rater skipped instead of answering
    resume: int  # position of the first unfinished item; one after the last item if all are finished
    items: tuple[ItemJson, ...]
    stopped: Stop | None  # reason why there is nothing to rate, for a time or permanently; None: there are items
    practice: tuple[int, ...]  # positions of practice items, also of those that the rater has not received yet
    epoch: str  # random text that changes when an older database may have been restored (see EpochJson)


@dataclass(frozen=True, slots=True)
class SaveJson:
    """The result of one action of the rater."""

    key: str | None  # key of the action as the browser sent it; None: no key was sent
    saved: bool
    refusal: Refusal | None  # reason why the action was not saved; None: it was saved


@dataclass(frozen=True, slots=True)
class SavesJson:
    """The results of all actions that were sent, in their order."""

    results: tuple[SaveJson, ...]
    epoch: str  # random text that changes when an older database may have been restored (see EpochJson)


@dataclass(frozen=True, slots=True)
class ComparedJson:
    """Which of the answers stored in a browser the server does not have."""

    missing: tuple[str, ...]  # keys of answers that the server does not have, in the order of the request
    epoch: str  # random text that changes when an older database may have been restored (see EpochJson)


@dataclass(frozen=True, slots=True)
class EpochJson:
    """The database's epoch, a random text that changes when an older database may have been restored."""

    epoch: str  # changes at each event after which the database may be an older copy, such as a start of the server


def session_json(
    secret: Secret, rater: Rater | None, given: str | None = None, panel: str | None = None
) -> SessionJson:
    """Return the rater of a browser, with the rater's return key.

    Only the rater may see this key. rater None: nobody is signed in.
    """
    return SessionJson(None if rater is None else RaterJson(rater.code, secret.return_key(rater.id)), given, panel)


def queue_json(queue: Queue, epoch: str) -> QueueJson:
    """Return a rater's position in a study, and the requested items."""
    items = tuple(_item_json(item, queue.design) for item in queue.items)
    return QueueJson(
        total=queue.total,
        free=queue.free,
        ahead=queue.ahead,
        done=queue.done,
        skipped=queue.skipped,
        resume=queue.resume,
        items=items,
        stopped=queue.stopped,
        practice=queue.practice,
        epoch=epoch,
    )


def _item_json(item: AssignedItem, design: StudyDesign) -> ItemJson:
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
    )


def _panel_json(panel: Panel, design: StudyDesign) -> PanelJson:
    value = None if panel.value is None else design.shown_score(panel.value)
    words = design.shown_texts(panel.rationales)
    return PanelJson(value, panel.scale, words, panel.answers, panel.caption)


def _regions_json(item: AssignedItem) -> LinksJson | None:
    """Return the regions and phrases of a score for raters.

    The score's name, signature, value, precisions and recalls are omitted. None: there are none to show.
    """
    if item.overlay is None or item.image_size is None:
        return None
    return explanation_json(item.overlay.explanation, numbered=False)
