"""What a section of Analyse is: a key, a title, the data that it needs, and one function that computes it.

Pages, commands and reports show the same result: notes, tables, figures and controls.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadSetting
from ui.services.analysis.analyst import Analyst
from ui.services.tables import Table

PAGE = 25  # rows of a list on one page


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

    def option(self, name: str, choices: Sequence[tuple[str, str]]) -> str:
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
    def page(self) -> int:
        """The page of a list, from 1."""
        return max(1, int(self.number("page", 1)))


@dataclass(frozen=True, slots=True)
class Control:
    """A menu, or a field for a number, that changes what a section shows."""

    name: str
    label: str
    value: str
    choices: list[tuple[str, str]] = field(default_factory=list)  # (value, label); []: a field for a number


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of Plotly: `figure` has the fields data and layout."""

    title: str
    description: str  # for people who cannot see it
    figure: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a section."""

    tables: list[Table[Any]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    total: int = 0  # rows of a list on all pages; 0: the section has no list
    size: int = PAGE  # rows of a list on one page
    extra: Mapping[str, Any] = field(default_factory=dict)  # what only this section's script needs


@dataclass(frozen=True, slots=True)
class Facts:
    """What a data set, or a slice of it, has. Sections need these facts."""

    dataset: str
    samples: int
    metrics: int  # number of metrics that are not people's own scores
    rated: bool  # people judged single captions
    judged: bool  # people judged captions, singly or in pairs
    several_judgements: bool
    annotated: int  # pictures with regions
    captioners: int
    datasets: int  # data sets with scores
    studies: int


Needs = Callable[[Facts], str]  # returns what is missing, as a noun phrase; "" if nothing is missing


@dataclass(frozen=True, slots=True)
class Section:
    """A section of Analyse."""

    key: str
    title: str
    make: Callable[[Analyst, Asked], Found]
    needs: Needs = lambda facts: ""
    on_page: bool = True  # False: only a command shows it
    in_report: bool = True


def menu(asked: Asked, name: str, label: str, choices: Sequence[tuple[str, str]]) -> Control:
    """Return a menu with the chosen value."""
    return Control(name, label, asked.option(name, choices), list(choices))
