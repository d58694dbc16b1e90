"""What a section of Analyse is: a key, a title, the data that it needs, and one function that computes it.

Pages, commands and reports show the same result: notes, tables, Plotly figures and controls.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Annotated, Any

import plotly.graph_objects as go
from pydantic import GetPydanticSchema, PlainSerializer

from core.analysis.score_table import ScoreTable
from core.errors import BadSetting
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.tables import ShownTable, Table, shown

PAGE = 25  # rows of a list on one page
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")  # Okabe and Ito
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")  # these distinguish lines without colour
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")  # these distinguish points without colour
LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
SCALES: Mapping[ErrorScale, str] = {"rank": "by rank", "calibrated": "calibrated", "plain": "as they are"}
Choices = Sequence[tuple[str, str]]  # (value, label)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page or a command asks of a section."""

    datasets: tuple[str, ...]
    metrics: tuple[str, ...] = ()  # names of columns; (): all
    slice: str | None = None  # a saved filter; None: all samples
    options: Mapping[str, str] = field(default_factory=dict)  # values of the section's controls

    @property
    def dataset(self) -> str:
        """The first data set."""
        if not self.datasets:
            raise BadSetting("Name a data set.")
        return self.datasets[0]

    def option(self, name: str, choices: Choices) -> str:
        """Return the chosen value of a control; by default the first choice."""
        chosen = self.options.get(name, "")
        values = [value for value, _ in choices]
        return chosen if chosen in values else values[0] if values else ""

    def number(self, name: str, default: float) -> float:
        """Return the number in a control. Raises BadSetting if it is no number."""
        try:
            return float(self.options.get(name) or default)
        except ValueError:
            raise BadSetting(f"{name} must be a number, found {self.options[name]!r}.") from None

    @property
    def parts(self) -> tuple[str, ...]:
        """The components of scores, such as precision, that are to be compared with people too."""
        return tuple(filter(None, self.options.get("parts", "").split(",")))

    @property
    def scale(self) -> ErrorScale:
        """The scale of errors that the control `errors` sets."""
        return next((one for one in SCALES if one == self.options.get("errors")), "rank")

    def first(self, size: int) -> int:
        """Return the first row of the chosen page of a list, from 0. size: rows of a page."""
        return (max(1, int(self.number("page", 1))) - 1) * size


@dataclass(frozen=True, slots=True)
class Control:
    """A menu that changes what a section shows."""

    name: str
    label: str
    value: str
    choices: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of Plotly: `figure` has the fields data and layout."""

    title: str
    description: str  # for people who cannot see it
    figure: Mapping[str, Any]


_AS_IS = GetPydanticSchema(lambda _, schema: schema(list))  # tables are not checked
_SHOWN = PlainSerializer(lambda tables: [*map(shown, tables)], return_type=list[ShownTable])  # in JSON: finished cells


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a section."""

    tables: Annotated[list[Table[Any]], _AS_IS, _SHOWN] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    total: int = 0  # rows of a list on all pages; 0: the section has no list
    size: int = PAGE  # rows of a list on one page
    extra: Mapping[str, Any] = field(default_factory=dict)  # what only this section's script needs


@dataclass(frozen=True, slots=True)
class Section:
    """A section of Analyse."""

    key: str
    title: str
    make: Callable[[Analyst, Asked], Found]
    # Returns what a data set, or the given slice of it, lacks for this section, as a noun phrase; "": nothing
    lacks: Callable[[Analyst, str, ScoreTable], str] = lambda analyst, dataset, here: ""
    on_page: bool = True  # False: only a command shows it
    in_report: bool = True
    is_cached: bool = True  # False: the result depends on more than one data set's samples, scores, ratings and codes


def menu(asked: Asked, name: str, label: str, choices: Choices) -> Control:
    """Return a menu with the chosen value."""
    return Control(name, label, asked.option(name, choices), list(choices))


def errors_menu(asked: Asked) -> Control:
    """Return the menu of the scales of errors."""
    return Control("errors", "Errors", asked.scale, [*SCALES.items()])


def words(text: str) -> str:
    """Return a text that Plotly shows as it is. Plotly would read tags and links in it."""
    return escape(text, quote=False)


def axis(title: str, ends: Sequence[float] | None = None, **more: Any) -> dict[str, Any]:
    """Return an axis with a title and, if given, fixed ends."""
    range_ = {} if ends is None else {"range": list(ends)}
    return {"title": {"text": words(title)}, "zeroline": False, **range_, **more}


def series(number: int, **line: Any) -> dict[str, Any]:
    """Return the line of the n-th series: its own colour and dashes."""
    return {"color": COLOURS[number % len(COLOURS)], "dash": DASHES[number % len(DASHES)], **line}


def marker(number: int, **more: Any) -> dict[str, Any]:
    """Return the points of the n-th series: their own colour and symbol."""
    return {"color": COLOURS[number % len(COLOURS)], "symbol": SYMBOLS[number % len(SYMBOLS)], **more}


def figure(
    title: str, description: str, traces: Sequence[Any], x: dict[str, Any], y: dict[str, Any], **layout: Any
) -> Figure:
    """Return a figure. traces: objects of plotly.graph_objects."""
    margin = {"l": 60, "r": 16, "t": 32, "b": 48}
    made = go.Figure(
        list(traces),
        {"template": "none", "xaxis": x, "yaxis": y, "margin": margin, "legend": LEGEND, "showlegend": len(traces) > 1}
        | layout,
    )
    return Figure(title, description, json.loads(made.to_json()))
