"""Input and output of file readers: a reader is a function that takes a Source and yields Records.

A Format names a reader. The checks for all files (the file exists, is a file and is not empty) are in one place.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.errors import BadFile, BadRow, BadSetting
from core.types import LONGEST_SYSTEM, EvaluationError, ImageRef, OwnValues, Pair, Score, one_line

if TYPE_CHECKING:
    from core.datasets.rows import Row

OnBad = Callable[[BadRow], None]  # raises to stop the import, or records the row and returns to go on
OnProgress = Callable[[int, int], None]  # (done, total), in bytes for formats read by line, in entries for JSON formats
OnNote = Callable[[str], None]  # takes a text that reports what was read, or what was skipped without an error
Keep = Callable[[str, bytes], str]  # takes an embedded picture's name and content; returns the name that records use
Tau = Literal["b", "c"]
Quantity = Literal["tau_b", "tau_c", "accuracy"]
Scale = tuple[float, float]  # lowest and highest value
UNIT: Scale = (0.0, 1.0)
SYSTEM_EXPECTED = f"a name of 1 to {LONGEST_SYSTEM} printable characters"


@dataclass(frozen=True, slots=True)
class Record:
    """One sample, or the scores of one sample, read from a file."""

    file: Path
    row: int  # number from 1: of a line (JSONL), a row (CSV, counting the header), an entry (JSON) or a block (text)
    image: str  # file name or id without folders; if image_is_relative, a path relative to the folder of `file`
    candidate: str  # the caption exactly as in the file, never blank
    key: str | None = None  # unique in the data set; None: image stem and normalised candidate identify the sample
    references: tuple[str, ...] = ()
    human: float | None = None  # mean human judgement, rescaled to [0, 1]
    judgements: tuple[float, ...] = ()  # individual human judgements on the data set's own scale
    scores: tuple[Score | EvaluationError, ...] = ()
    pair: Pair | None = None
    is_sample: bool = False  # True: equal records in one file are separate samples; only for records without a key
    image_is_relative: bool = False  # True: `image` is a relative path; only in researchers' own tables
    system: str | None = None  # the captioner's name, one line of at most LONGEST_SYSTEM characters
    own: OwnValues = ()  # values of the researcher's own columns
    rater: str | None = None  # who gave the judgement `human`, in files with one row per judge

    @property
    def picture(self) -> str:
        """A name for the record's picture, unique in the import.

        A relative path is joined to the folder of the record's file.
        """
        return str(self.file.parent / self.image) if self.image_is_relative else self.image


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns, scales, metric and captioner of a file, as the caller names them."""

    columns: Mapping[str, str] = field(default_factory=dict)  # Capscope's column name -> the file's column name
    human_scale: Scale | None = None  # lowest and highest human judgement; None: 0 to 1
    score_scale: Scale | None = None  # lowest and highest score of a metric; None: 0 to 1
    system: str | None = None  # the captioner of the file's captions; None: as stated by the file
    keep: tuple[str, ...] = ()  # columns of the file that Capscope does not know but stores
    more_references: tuple[str, ...] = ()  # further columns of references, beside the first one in `columns`
    metric: str | None = None  # the name for the file's scores; None: as stated by the file or the format


def ignore_progress(*told: object) -> None:
    """Do nothing, for callers that do not need the progress or the notes of reading."""


def raise_bad(bad: BadRow) -> None:
    """Raise the first bad row, which stops the import."""
    raise bad


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, and the callbacks for bad rows, progress, notes and pictures."""

    path: Path
    on_bad: OnBad = raise_bad
    on_progress: OnProgress = ignore_progress
    keep: Keep = lambda name, content: name
    on_note: OnNote = ignore_progress
    layout: Layout = Layout()

    def beside(self, name: str) -> "Source":
        """Return another file of the same folder, without progress and notes."""
        return Source(self.path.with_name(name), self.on_bad)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How a benchmark computes its figure from human judgements and scores.

    The figure is Kendall's tau or an accuracy. The accuracy says how often a metric prefers the same caption of a pair
    as people do.
    """

    name: str
    tau: Tau = "c"  # the tau that papers report; not used if `counts_pairs` is True
    per_judgement: bool = False  # True: the score is compared with each judgement; False: only with their mean
    counts_pairs: bool = False  # True: people chose between two captions, so accuracies by category replace the tau
    categories: tuple[str, ...] = ()  # categories of pairs; their unweighted mean is also reported
    human_scale: Scale | None = None  # scale of individual judgements in result files; None: no individual judgements
    files_named: str = ""  # the benchmark's name in result files, if it differs from `name`

    @property
    def named(self) -> str:
        """A lower-case text that occurs in the names of all of this benchmark's result files."""
        return self.files_named or self.name


Reader = Callable[[Source], Iterator[Record]]
# Takes rows of Capscope's own format with their pictures, and a new folder. Writes files, and returns the reasons why
# samples were skipped.
Writer = Callable[[Iterable[tuple[dict[str, object], ImageRef]], Path], list[str]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that can be imported."""

    name: str  # name on the command line
    summary: str  # one line for users
    reader: Reader
    suffixes: tuple[str, ...] = (".json",)  # usual file name endings, with the dot; other endings are read too
    writer: Writer | None = None  # writes files that the reader can read
    takes_metric: bool = False  # whether the caller may name the scores, because the file does not
    raw_rows: "Callable[[Source], Iterator[Row]] | None" = (
        None  # yields unchanged rows; a caller may name their columns
    )
    # Returns the files of a folder, or raises BadFile; None: the format has no folders
    files_of: Callable[[Path], tuple[Path, ...]] | None = None
    benchmark: Benchmark | None = None  # the benchmark with the human judgements of these files

    @property
    def takes_layout(self) -> bool:
        """Return whether a caller may name columns and scales."""
        return self.raw_rows is not None

    def read(self, source: Source) -> Iterator[Record]:
        """Yield the file's records in order. Each record is read only when it is needed.

        Each bad row is passed to the source's on_bad and gives no record. Raises BadFile for another format,
        immediately or while reading. Raises BadSetting if the caller gives a metric or columns that the format does
        not use.
        """
        layout, metric, problem = source.layout, source.layout.metric, None
        if metric is not None and not self.takes_metric:
            problem = f"contain the names of their metrics. Remove the metric name {metric!r}."
        elif replace(layout, system=None, metric=None) != Layout() and not self.takes_layout:
            problem = "do not take --column, --keep, --human-scale or --score-scale. Remove them."
        if problem is not None:
            raise BadSetting(f"Files of format {self.name} {problem}")
        if metric is not None and not metric.strip():
            raise BadSetting("A metric's name must not be blank")
        check_file(source.path)
        records = self.reader(source)
        if layout.system is None:
            return records
        system = system_name(layout.system)
        if system is None:
            raise BadSetting(f"A captioner needs {SYSTEM_EXPECTED}. Found: {layout.system[:40]!r}.")
        return (record if record.system else replace(record, system=system) for record in records)


def system_name(text: str) -> str | None:
    """Return a captioner's name with single spaces; None for an empty, long or unprintable name."""
    name = one_line(text)
    return name if 1 <= len(name) <= LONGEST_SYSTEM and name.isprintable() else None


def rescaled(judgements: Sequence[float], scale: Scale) -> float | None:
    """Return the judgements' mean, rescaled from `scale` to [0, 1]; None if there are no judgements."""
    low, high = scale
    return (math.fsum(judgements) / len(judgements) - low) / (high - low) if judgements else None


def plain_name(path: Path) -> Path:
    """Return the path without the extension of a compressed file: scores.csv for scores.csv.gz."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def check_file(path: Path) -> None:
    """Raise BadFile unless the file exists, can be read and is not empty."""
    try:
        if not path.exists():
            problem = f"there is no file at {path}; check the name"
        elif not path.is_file():
            problem = "this must be a file, but it is a folder or a device; name the file itself"
        elif path.stat().st_size == 0:
            problem = "the file is empty; download it again from its source"
        else:
            path.open("rb").close()
            return
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror}); check the read permissions of {path}"
    raise BadFile(path, problem)
