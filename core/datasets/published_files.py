"""Published data sets that the command `get` downloads from their authors' repositories (published.toml)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from core.errors import NotFound
from core.network.download import PublishedFile

GITHUB = "https://raw.githubusercontent.com"


@dataclass(frozen=True, slots=True)
class PublishedData:
    """Published files that are imported together as one data set."""

    name: str  # name on the command line and name of the data set
    summary: str
    repository: str  # on GitHub
    commit: str
    format: str  # a name in FORMATS
    files: tuple[PublishedFile, ...]
    licence: str  # name of the licence; "none stated" if the repository does not state a licence
    citation: str
    pictures: str  # text that says where the pictures are
    beside: tuple[PublishedFile, ...] = ()  # additional files that are read from the same folder as `files`
    scores: tuple[PublishedFile, ...] = ()  # FLEUR's published scores of the same captions
    group: str | None = None  # a common name for several data sets that are fetched together

    @property
    def all_files(self) -> tuple[PublishedFile, ...]:
        """Return all files to download."""
        return (*self.files, *self.beside, *self.scores)

    @property
    def size(self) -> int | None:
        """Return the size of all files together in bytes; None if the size of a file is unknown."""
        sizes = [file.size for file in self.all_files]
        return None if None in sizes else sum(size for size in sizes if size)

    def address(self, file: PublishedFile, mirror: str | None = None) -> str:
        """Return the web address of a file, at GitHub or at a mirror that has the same paths."""
        return f"{mirror or GITHUB}/{self.repository}/{self.commit}/{file.path}"


_FILE = Path(__file__).with_name("published.toml")
_SOURCES = tomllib.loads(_FILE.read_text(encoding="utf-8"))["source"]
PUBLISHED = TypeAdapter(tuple[PublishedData, ...]).validate_python(
    [{"format": data["name"]} | source | data for source in _SOURCES for data in source.pop("data")]
)


def published_named(name: str) -> tuple[PublishedData, ...]:
    """Return the published data sets for a name: of a data set, of a group of data sets, or "all".

    Raises NotFound with a list of all names.
    """
    if name == "all":
        return PUBLISHED
    datasets = tuple(one for one in PUBLISHED if name in (one.name, one.group))
    if datasets:
        return datasets
    names = list(dict.fromkeys(part for one in PUBLISHED for part in (one.group, one.name) if part))
    raise NotFound.of_names("published data set", name, names)
