"""What a reader is given and what it yields: Source in, Records out; Format ties a name to a reader.

A reader is a function, so Format is a small frozen dataclass that holds one: a class for each format would carry
no state, and the checks that every file needs (it exists, it is a file, it is not empty) are made in one place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from core.datasets.benchmark import Benchmark
from core.errors import BadFile, BadRow, BadSetting
from core.types import EvaluationError, Pair, Sample, Score

OnBad = Callable[[BadRow], None]  # raises to stop the import, or takes the row down and returns to go on
OnProgress = Callable[[int, int], None]  # (done, total) in one unit: bytes of line formats, entries of JSON formats
OnNote = Callable[[str], None]  # takes a sentence on what was read, or on what was not read although nothing is wrong
Keep = Callable[[str, bytes], str]  # (name, content) of a picture that a file holds; returns what records call it


@dataclass(frozen=True, slots=True)
class Record:
    """One sample, or the scores of one sample, as read from a file."""

    file: Path
    row: int  # 1-based: line of JSONL, row of CSV (the header is row 1), n-th entry of JSON, n-th block of text
    image: str  # file name or id without folders; with image_is_relative a path relative to the file's folder
    candidate: str  # exactly as in the file, never blank
    key: str | None = None  # unique in the data set; None: attaches to a sample by (image stem, normalised candidate)
    references: tuple[str, ...] = ()
    human: float | None = None  # mean human judgement, rescaled to [0, 1]
    judgements: tuple[float, ...] = ()  # single human judgements on the source's own scale
    scores: tuple[Score | EvaluationError, ...] = ()
    pair: Pair | None = None
    is_sample: bool = False  # without a key, records alike in one file are a sample each, not one sample named again
    image_is_relative: bool = False  # only for files that a researcher wrote: jsonl and csv

    @property
    def picture(self) -> str:
        """What tells the record's picture from the others of an import: a relative path means one in its folder."""
        return _beside(self.file, self.image) if self.image_is_relative else self.image


@lru_cache(4_096)  # asked several times for each caption of a picture
def _beside(file: Path, name: str) -> str:
    return str(file.parent / name)


def ignore_progress(done: int, total: int) -> None:
    """Show nothing."""


def drop_picture(name: str, content: bytes) -> str:
    """Keep nothing."""
    return name


Scale = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """What the caller says of a table's columns, where the table does not follow our own form."""

    columns: Mapping[str, str] = field(default_factory=dict)  # the file's column, by the name of our own form
    human_scale: Scale | None = None  # lowest and highest human judgement; None: 0 to 1
    score_scale: Scale | None = None  # lowest and highest score of a metric; None: 0 to 1
    further: tuple[str, ...] = field(default=(), compare=False)  # other options, for the command that messages suggest


def ignore_note(note: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, and where its bad rows, its progress and the pictures that it holds go."""

    path: Path
    on_bad: OnBad
    on_progress: OnProgress
    keep: Keep = drop_picture
    metric: str | None = None  # what the caller wants the file's scores to be called; None: as the format calls them
    on_note: OnNote = ignore_note
    layout: Layout = Layout()


Reader = Callable[[Source], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Exported:
    """A sample with all that is known of it, as it is written to files."""

    key: str | None  # None: its source gave none
    sample: Sample
    outcomes: tuple[Score | EvaluationError, ...] = ()
    pair: Pair | None = None


# (samples, a new folder): writes files, yields every sample that was written, or why it was left out; raises BadData
Writer = Callable[[Iterable[Exported], Path], Iterator[Exported | str]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that can be imported."""

    name: str  # as on the command line
    summary: str  # one line for people
    suffixes: tuple[str, ...]  # usual file name endings, with the dot; others are read as well
    reader: Reader
    writer: Writer | None = None  # files as the reader takes them
    takes_metric: bool = False  # whether a caller may say what the scores are called: the file does not name them
    takes_layout: bool = False  # whether a caller may name columns and scales
    holds_scores: bool = False  # metrics' scores, so that `correlate` finds the format by a score file's ending
    files_of: Callable[[Path], tuple[Path, ...]] | None = (
        None  # the files of a folder; raises BadFile; None: no folders
    )
    benchmark: Benchmark | None = None  # whose human judgements the files hold

    def read(
        self,
        path: Path,
        on_bad: OnBad,
        on_progress: OnProgress = ignore_progress,
        metric: str | None = None,
        keep: Keep = drop_picture,
        on_note: OnNote = ignore_note,
        layout: Layout | None = None,
    ) -> Iterator[Record]:
        """Yield the file's records in order, lazily; each bad row goes to on_bad and is left out.

        Raises BadFile at once or while reading where the file as a whole is of another kind, and BadSetting where
        a metric name is given to a format that does not take one.
        """
        if metric is not None and not self.takes_metric:
            raise BadSetting(f"files of format {self.name} name their metrics themselves: leave out {metric!r}")
        if metric is not None and not metric.strip():
            raise BadSetting("a metric's name must not be blank")
        layout = layout or Layout()
        if layout != Layout() and not self.takes_layout:
            raise BadSetting(
                f"Files of format {self.name} take no --column, --human-scale or --score-scale: they need none."
            )
        check_file(path)
        return self.reader(Source(path, on_bad, on_progress, keep, metric, on_note, layout))


def plain_name(path: Path) -> Path:
    """Return the path without the ending of a packed file, so that scores.csv.gz is called as scores.csv is."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def check_file(path: Path) -> None:
    """Raise BadFile unless there is a file with something in it that may be read."""
    try:
        problem = _problem(path)
    except OSError as error:
        raise BadFile(path, f"it cannot be read ({error.strerror}); check who may read {path}") from error
    if problem is not None:
        raise BadFile(path, problem)


def _problem(path: Path) -> str | None:
    if not path.exists():
        return f"there is no such file at {path}; check the name"
    if not path.is_file():
        return "expected a file, found a folder or a device; name the file itself"
    if path.stat().st_size == 0:
        return "the file is empty; get it again from its source"
    with path.open("rb"):
        return None


def raise_bad(bad: BadRow) -> None:
    """Stop at the first bad row (an OnBad)."""
    raise bad
