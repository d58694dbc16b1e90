"""How long raters wait with their saves while something else writes to the same database.

The saves are real ones, by `other_process` in a process of their own. Every acknowledged save is looked for in the
database afterwards.

    with workplace(data_dir) as place:
        make_rated_study(place, data_dir / "rated")
        with other_process(data_dir) as raters:
            ...  # what writes
        print(raters.waits().p99)

As a program: `python -m tests.benchmarks.waiting PLACE FOLDER RATERS PAUSE_S` saves until its standard input ends.
"""

import itertools
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from core.errors import AlreadyExists, StorageBusy, UserError
from core.studies.asking.form_file import form_named
from storage import open_repository
from storage.repository import Repository
from storage.study_types import Rater, Save
from tests.benchmarks.rows import percentile
from tests.benchmarks.serving import ROOT
from tests.benchmarks.studies import make_study
from ui.services.workplace import DATABASE, Workplace

STUDY = "bench"  # as make_study calls it
ITEMS, RATERS, PAUSE_S = 5, 6, 0.05
_CRITERIA = form_named("expert-single").criteria
_READY = "every rater has saved"
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Waits:
    """What raters met with."""

    milliseconds: tuple[float, ...]  # of each acknowledged save, from asking to knowing that it is on the disk
    failed: tuple[str, ...]  # why others were refused
    lost: int  # acknowledged saves that the database lacks

    @property
    def p99(self) -> float:
        """Return the 99th percentile in ms."""
        return percentile(self.milliseconds, 99)

    @property
    def longest(self) -> float:
        """Return the longest wait in ms."""
        return max(self.milliseconds)

    @property
    def note(self) -> str:
        """Return what stands beside the percentile in a table."""
        saves = f"{len(self.milliseconds):,} saves, longest {self.longest:,.0f} ms"
        return f"{saves}, {self.lost} lost, {len(self.failed)} refused"

    @property
    def is_sound(self) -> bool:
        """Return whether no save was lost or refused."""
        return not self.lost and not self.failed


@dataclass(frozen=True, slots=True)
class Raters:
    """Raters at work, or who were. Each notes its saves in a file of its own."""

    place: Path | str  # SQLite file, or address
    folder: tempfile.TemporaryDirectory[str]  # of those files; it goes with this object

    def waits(self) -> Waits:
        """Return what they met with so far, and look for each acknowledged save."""
        files = Path(self.folder.name).glob("*.jsonl")
        lines = [json.loads(line) for file in files for line in _whole_lines(file)]
        saved = {line["key"]: line["ms"] for line in lines if line["refused"] is None}
        with closing(open_repository(self.place)) as repository, repository.database.read() as connection:
            stored = set(connection.scalars(text("SELECT request_key FROM events")))
        failed = tuple(line["refused"] for line in lines if line["refused"] is not None)
        return Waits(tuple(saved.values()), failed, len(set(saved) - stored))


def _whole_lines(file: Path) -> list[str]:
    """Return the lines of a file that is still written, or whose writer was killed."""
    return [line for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]


def make_rated_study(place: Workplace, folder: Path) -> None:
    """Make the small study that the raters of this module rate, with a data set of its own; files go to a folder."""
    make_study(place, folder, ITEMS)


@contextmanager
def other_process(place: Path | str, raters: int = RATERS, pause_s: float = PAUSE_S) -> Iterator[Raters]:
    """Let raters save in a process of their own until the block ends; it begins when each has saved once.

    place: a data folder or the address of a PostgreSQL, with the study of `make_rated_study`.
    pause_s: between two saves of one rater.
    """
    database = place / DATABASE if isinstance(place, Path) else place
    made = Raters(database, tempfile.TemporaryDirectory())
    arguments = (str(database), made.folder.name, str(raters), str(pause_s))
    command = [sys.executable, "-m", "tests.benchmarks.waiting", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdin is not None
    try:
        if process.stdout.readline().strip() != _READY:
            raise RuntimeError("The raters' process has ended before its first saves.")
        yield made
    finally:
        process.stdin.close()
        process.wait(_PATIENCE_S)
        process.stdout.close()


@contextmanager
def _at_work(repository: Repository, folder: Path, raters: int, pause_s: float) -> Iterator[None]:
    """Run a thread for each rater; the block begins when each has saved once."""
    over, begun = threading.Event(), threading.Barrier(raters + 1)
    threads = [
        threading.Thread(target=_rate, args=(repository, number, folder, pause_s, over, begun.wait), daemon=True)
        for number in range(raters)
    ]
    for thread in threads:
        thread.start()
    begun.wait(_PATIENCE_S)
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(_PATIENCE_S)


def _rate(
    repository: Repository,
    number: int,
    folder: Path,
    pause_s: float,
    over: threading.Event,
    begin: Callable[[float], int],
) -> None:
    """Save until it is over, changing one's mind about the same few items, and note each save before the next."""
    code = f"W{number}"
    with suppress(AlreadyExists):
        repository.raters.add(code)
    rater = repository.raters.named(code)
    (study,) = (one for one in repository.studies.all() if one.name == STUDY)
    items = [item.id for item in repository.desk.queue(study.id, rater, 1, ITEMS).items]
    numbers = random.Random(f"{number} {time.time_ns()}")
    with (folder / f"{number}.jsonl").open("w", buffering=1) as notes:
        for count in itertools.count():
            start = time.perf_counter()
            key, refused = _save(repository, rater, numbers, items)
            ms = 1000 * (time.perf_counter() - start)
            notes.write(json.dumps({"key": key, "ms": ms, "refused": refused}) + "\n")
            if count == 0:
                begin(_PATIENCE_S)
            if over.wait(pause_s * (0.5 + numbers.random())):
                return


def _save(repository: Repository, rater: Rater, numbers: random.Random, items: list[str]) -> tuple[str, str | None]:
    """Save one answer; returns its key, and why it was refused or None."""
    key, criterion = f"{numbers.getrandbits(128):032x}", numbers.choice(_CRITERIA)
    answer = {"assignment": numbers.choice(items), "criterion": criterion.key, "point": numbers.randint(1, 2)}
    save = Save(key=key, kind="rating", age_ms=0, panel=1, **answer)
    try:
        (problem,) = repository.save(rater, [save])
    except (StorageBusy, UserError) as error:
        return key, str(error)
    return key, None if problem is None else str(problem)


def main(place: str, folder: str, raters: str, pause_s: str) -> None:
    """Rate until standard input ends, however whoever began this has ended."""
    with ExitStack() as stack:
        repository = stack.enter_context(closing(open_repository(place if "://" in place else Path(place))))
        stack.enter_context(_at_work(repository, Path(folder), int(raters), float(pause_s)))
        print(_READY, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
