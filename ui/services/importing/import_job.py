"""An import that a browser asks for, as it goes to the process that does it, and the command that does the same."""

import shlex
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.datasets import format_named
from core.datasets.base import Layout, Scale
from core.datasets.csv_advice import layout_options
from core.installation import COMMAND

ADDING = "Adding samples"  # which nobody sees yet
WRITING = "Writing"  # the last thing that import_files reports: from then on nothing is given up


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What is to be read, and how."""

    files: tuple[str, ...]  # names, in the folder of what was received
    format: str = ""
    dataset: str = ""
    columns: dict[str, str] = field(default_factory=dict)  # as Layout has them
    human_scale: Scale | None = None
    score_scale: Scale | None = None
    metric: str | None = None
    images: tuple[str, ...] = ()  # ZIP files that were received, and folders of this computer
    skip_bad: bool = False

    @property
    def layout(self) -> Layout:
        """Columns and scales; a column that is called as in our own form needs no saying."""
        columns = {ours: name for ours, name in self.columns.items() if ours != name}
        return Layout(columns, _pair(self.human_scale), _pair(self.score_scale))

    @property
    def layout_of_format(self) -> Layout:
        """The layout where the format takes one."""
        return self.layout if format_named(self.format).takes_layout else Layout()

    @property
    def metric_of_format(self) -> str | None:
        """The metric's name where the format takes one."""
        return self.metric if format_named(self.format).takes_metric else None

    def command(self) -> str:
        """Return the command that imports the same, for whoever has the same files in a folder."""
        parts = [f"{COMMAND} import", self.format, *map(shlex.quote, self.files)]
        parts += [f"--images {shlex.quote(images)}" for images in self.images]
        parts += [f"--dataset {shlex.quote(self.dataset)}"] if self.dataset else []
        parts += layout_options(self.layout_of_format, self.metric_of_format)
        return " ".join([*parts, *(["--skip-bad"] if self.skip_bad else [])])


@dataclass(frozen=True, slots=True)
class ImportJob:
    """A request with what the process needs beside it. Sent through a pipe: the database's address holds a password."""

    folder: Path  # of what was received; the process works in it, so that messages name files and no paths
    request: ImportRequest
    look: bool  # only to look into the file
    data_dir: Path
    database: str | None
    who: str  # for the log

    def as_json(self) -> dict[str, Any]:
        """Return the job as JSON has it."""
        return asdict(self) | {"folder": str(self.folder), "data_dir": str(self.data_dir)}

    @classmethod
    def of_json(cls, told: dict[str, Any]) -> "ImportJob":
        """Return a job that as_json made."""
        request: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told["request"].items()
        }
        paths = {name: Path(told[name]) for name in ("folder", "data_dir")}
        return cls(**told | paths | {"request": ImportRequest(**request)})


def _pair(scale: Scale | None) -> Scale | None:
    return None if scale is None else (float(scale[0]), float(scale[1]))
