"""Define the Repository's results about studies, raters, items and answers: frozen values, never database rows."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass as checked_dataclass

from core.studies.asking.item_report import ItemReport
from core.studies.design import Stop, StudyDesign
from core.studies.planning.gold import Workload
from core.studies.study import Study as Study
from core.types import Score

LONGEST_MS = 60 * 24 * 3600 * 1000  # sixty days in ms; longer times come from a wrong clock


def _held(milliseconds: int) -> int:
    return max(0, min(milliseconds, LONGEST_MS))


# A time in ms that a browser measured. It is limited to the range from 0 to LONGEST_MS, so that answers are not refused
# if the browser's clock is wrong.
Milliseconds = Annotated[int, AfterValidator(_held)]


@dataclass(frozen=True, slots=True)
class Outlook:
    """How many items one rater can still get in a study."""

    left: Workload  # how many items of each kind the rater has not finished or will still get
    done: int  # number of finished items, without practice
    is_most: bool  # True: the rater may get fewer items than `left` says, because other raters may take some first


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater, known by a short code only."""

    id: int
    code: str
    study: int | None = None  # the only study that the rater may enter; None: all studies

    def may_rate(self, study: int) -> bool:
        """Return whether a study is open to the rater."""
        return self.study in (None, study)


@dataclass(frozen=True, slots=True)
class Panel:
    """One explanation or caption at its position on the page. Raters do not see which metric wrote an explanation."""

    place: int  # from 1
    value: float | None  # score shown to the rater; None: the caption is rated without a score
    scale: tuple[float, float]
    rationales: dict[str, str]
    caption: str | None = None  # the caption of this panel; None unless captions are compared
    answers: dict[str, int] = field(default_factory=dict)  # criterion -> point


@dataclass(frozen=True, slots=True)
class AssignedItem:
    """An item given to a rater, with the rater's answers so far."""

    id: str
    place: int  # position in this rater's order of items, from 1
    caption: str
    image_size: tuple[int, int] | None  # (width, height) in px; None: the picture is missing
    panels: tuple[Panel, ...]
    open: bool  # True: the picture is not hidden, or all questions that come before the picture are answered
    revealed: bool  # True: the rater has seen the picture
    finished: bool
    note: str
    report: ItemReport | None = None  # the rater's report that something is wrong with the item
    references: tuple[str, ...] = ()  # references of the sample; empty: the form does not show them
    practice: bool = False  # True: the item is practice, so results exclude it
    overlay: Score | None = None  # the score whose regions the rater may see; None: no score, or picture is hidden


@dataclass(frozen=True, slots=True)
class Queue:
    """A rater's progress in a study, and some of the rater's items."""

    # Number of items promised to the rater. The number may grow, but does not shrink while the rater works. If no
    # items are available now, it still includes the promised items that the rater has not got.
    total: int
    free: int  # number of further items that are free now, at most 20
    ahead: int  # maximum number of items that the browser may fetch early
    design: StudyDesign  # options of the study
    done: int
    resume: int  # position of the first unfinished item; if all are finished, the last position plus one
    items: tuple[AssignedItem, ...]
    stopped: Stop | None  # reason why the rater gets no items, for a time or permanently; None: there are items
    is_known: bool  # True: the rater has joined the study
    practice: tuple[int, ...] = ()  # positions of practice items, including future ones
    skipped: int = 0  # number of items that the rater skipped; they count as done


@checked_dataclass(frozen=True, slots=True, config=ConfigDict(strict=True, extra="forbid"))
class Save:
    """One action of a rater, as the browser reports it.

    The constructor checks types and bounds strictly and refuses extra fields. Raises ValidationError.
    """

    key: Annotated[str, Field(min_length=8, max_length=80)]  # key of the action; a repeated key changes nothing
    assignment: Annotated[str, Field(max_length=200)]
    kind: Literal["rating", "reveal", "note", "report"]
    age_ms: Milliseconds  # milliseconds since the action happened
    in_sight_ms: Milliseconds = 0  # milliseconds for which the item was in view before the action
    shown_ms: Milliseconds = 0  # milliseconds since the rater first saw the item
    panel: int | None = None  # position of the panel, from 1
    criterion: Annotated[str, Field(max_length=80)] | None = None
    point: int | None = None
    text: str | None = None
    regions_shown: bool = False  # True: regions of a metric were visible on the picture when the rater answered
    picture_shown: bool = False  # True: the page had shown the picture before the answer
    said: dict[str, Any] | None = None  # a report
