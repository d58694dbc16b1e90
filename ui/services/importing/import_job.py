"""Describe an import that a user requested in a browser.

The description can be sent to the process that imports, and it can be written as a command.
"""

import shlex
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from core.datasets import format_named
from core.datasets.base import Layout, Scale
from core.datasets.columns import layout_options
from core.installation import COMMAND
from core.network import Downloads, Network

ADDING = "Adding samples"  # name of the step after which everyone can see the samples
WRITING = "Writing"  # name of the last step that import_files reports; once it begins, the import cannot be cancelled


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The files to import and the options."""

    files: tuple[str, ...]  # names of the files to import, in the folder of uploaded files
    format: str = ""
    dataset: str = ""
    columns: dict[str, str] = field(default_factory=dict)  # Layout.columns: Capscope's column name -> name in the file
    human_scale: Scale | None = None
    score_scale: Scale | None = None
    metric: str | None = None
    system: str | None = None  # the captioner
    keep: tuple[str, ...] = ()  # columns of the file that Capscope does not know but stores
    images: tuple[str, ...] = ()  # where the pictures are: names of uploaded ZIP files, and folders of this computer
    skip_bad: bool = False

    @property
    def layout(self) -> Layout:
        """Return the request's names for Capscope's columns, and the request's scales.

        Columns that already have Capscope's own names are omitted.
        """
        columns = {ours: name for ours, name in self.columns.items() if ours != name}
        return Layout(columns, _pair(self.human_scale), _pair(self.score_scale), keep=tuple(self.keep))

    @property
    def layout_of_format(self) -> Layout:
        """Return the columns, scales and captioner that the request names.

        Only what the request's format accepts is returned.
        """
        fmt = format_named(self.format)
        return replace(
            self.layout if fmt.takes_layout else Layout(), system=(self.system or None) if fmt.takes_system else None
        )

    @property
    def metric_of_format(self) -> str | None:
        """Return the metric's name if the format accepts one."""
        return self.metric if format_named(self.format).takes_metric else None

    def command(self) -> str:
        """Return the command that imports the same files, from their folder."""
        parts = [f"{COMMAND} import", self.format, *map(shlex.quote, self.files)]
        parts += [f"--images {shlex.quote(images)}" for images in self.images]
        parts += [f"--dataset {shlex.quote(self.dataset)}"] if self.dataset else []
        parts += layout_options(self.layout_of_format, self.metric_of_format)
        return " ".join([*parts, *(["--skip-bad"] if self.skip_bad else [])])


@dataclass(frozen=True, slots=True)
class ImportJob:
    """A request with all values that the import's process needs.

    It is sent through a pipe, so that nobody else sees the password in the database's address.
    """

    folder: Path  # folder of uploaded files; the process runs in this folder, so that messages name files without paths
    request: ImportRequest
    look: bool  # True: only preview the file
    data_dir: Path
    database: str | None
    who: str  # name that the log shows for the person who started the import
    published: str = ""  # name of published data to fetch and import, instead of uploaded files
    downloads: Downloads = Downloads()  # settings of downloads, which may contain a proxy's password

    def as_json(self) -> dict[str, Any]:
        """Return the job as JSON."""
        job = asdict(self) | {"folder": str(self.folder), "data_dir": str(self.data_dir)}
        certificates = self.downloads.network.ca_file
        job["downloads"]["network"]["ca_file"] = None if certificates is None else str(certificates.resolve())
        return job

    @classmethod
    def of_json(cls, fields: dict[str, Any]) -> "ImportJob":
        """Return the job from the dictionary that as_json returned."""
        request: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in fields["request"].items()
        }
        paths = {name: Path(fields[name]) for name in ("folder", "data_dir")}
        made = {"request": ImportRequest(**request), "downloads": _downloads(fields["downloads"])}
        return cls(**fields | paths | made)


def _downloads(fields: dict[str, Any]) -> Downloads:
    network = fields["network"]
    ca_file = None if network["ca_file"] is None else Path(network["ca_file"])
    return Downloads(**fields | {"network": Network(ca_file, network["proxy"], tuple(network["no_proxy"]))})


def _pair(scale: Scale | None) -> Scale | None:
    return None if scale is None else (float(scale[0]), float(scale[1]))
