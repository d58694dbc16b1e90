"""Killing long work at twenty moments while six raters answer: nothing is lost, and nothing half made is seen.

A score run, a copy, a bundle's import, an import, an import into a data set that is there, and deleting a study.

As a program: `python -m tests.benchmarks.growth_killed WORK NAME DATA_DIR [ADDRESS]` does one piece of work.
"""

import csv
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar

from sqlalchemy import func, select

from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.studies.planning.study_request import StudyRequest
from storage import Repository
from storage.tables import DatasetRow, ErasureRow, ItemRow, SampleRow, ScoreRow, StudyRow
from storage.types import Search
from tests import postgresql
from tests.benchmarks.growth import DATASET, large_data
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import ROOT
from tests.benchmarks.studies import workplace
from tests.benchmarks.waiting import make_rated_study, other_process
from tests.ui.fake_metrics import Blind
from ui.services.importing.importing import import_files
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import plan_scoring
from ui.services.studies.actions import create_study
from ui.services.transfer.bundle import import_bundle, write_bundle
from ui.services.transfer.moving import move
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

SAMPLES, ITEMS, MOMENTS = 10_000, 500, 20
ADDED, GROWN = 3_000, "grown"  # samples of an addition, and the data set that gets them
BEGUN = "begun"
BUNDLE = "large.zip"


class Named(Blind):
    """Scores by the length of the caption, under a signature of its own for each run."""

    run: ClassVar[str] = ""

    def signature(self) -> str:
        """Return the run's name."""
        return f"{self.name}|{self.run}"


def run() -> list[Row]:
    """Kill each kind of work on SQLite, and on PostgreSQL where there is one."""
    with tempfile.TemporaryDirectory() as name:
        rows = _on("SQLite", made(Path(name) / "sqlite"), None)
        programs = postgresql.programs()
        if programs is None:
            return rows
        with postgresql.running(programs) as server:
            server.do("CREATE DATABASE killed")
            data_dir = made(Path(name) / "postgresql")
            move(Settings(data_dir=data_dir), server.url("killed"))
            return rows + _on("PostgreSQL", data_dir, server.url("killed"))


def made(data_dir: Path, samples: int = SAMPLES) -> Path:
    """Make a data folder with a large data set, a study that is rated, and a bundle of a large study."""
    large_data(data_dir, samples)
    with workplace(data_dir) as place:
        make_rated_study(place, data_dir / "rated")
        study = create_study(place, StudyRequest("captions", DATASET, seed=0, form="thumb", size=ITEMS))
        write_bundle(place, study, data_dir / BUNDLE)
    return data_dir


@contextmanager
def opened(data_dir: Path, address: str | None) -> Iterator[Workplace]:
    """Open a data folder, on its own database or the one at an address."""
    place = open_workplace(Settings(data_dir=data_dir, database=address))
    with closing(place.repository):
        yield place


def work(what: str, name: str, place: Workplace) -> None:
    """Do one piece of work; name: of the data set or study that it makes."""
    if what == "score":
        Named.run = name
        evaluator = Evaluator((Named,))
        run_scoring(place, evaluator, plan_scoring(place, evaluator, Named.name, DATASET, ModelSettings()))
    elif what == "copy":
        place.repository.copy_samples(DATASET, place.repository.samples.ids(Search(DATASET)), name)
    elif what == "import":
        import_files(place, "csv", [write_rows(place.data_dir / f"{name}.csv", SAMPLES, "")], name)
    elif what == "addition":
        import_files(place, "csv", [write_rows(place.data_dir / f"{name}.csv", ADDED, f"{name} ")], GROWN)
    elif what == "deletion":
        study = create_study(place, StudyRequest(name, DATASET, seed=0, form="thumb", size=ITEMS))
        place.repository.erasures.delete_study(study.id, name)
    else:
        import_bundle(place, place.data_dir / BUNDLE, name, name)


def write_rows(file: Path, count: int, prefix: str) -> Path:
    """Write a table of samples with two scores each; prefix: of their ids and pictures."""
    with file.open("w", newline="") as table:
        writer = csv.writer(table)
        writer.writerow(["id", "image", "caption", "human", "score:CIDEr", "score:CLIPScore"])
        for n in range(count):
            key = f"{prefix}{n:07d}"
            writer.writerow([key, f"{prefix}{n // 5}.jpg", f"a dog near number {n}", n % 101 / 100, n % 97 / 96, 0.5])
    return file


def _on(kind: str, data_dir: Path, address: str | None) -> list[Row]:
    rows = []
    with other_process(address or data_dir) as raters:
        for what, half_made in KINDS:
            seconds = _done(what, f"{what} whole", data_dir, address, None)
            moments = [seconds * (number + random.Random(number).random()) / MOMENTS for number in range(MOMENTS)]
            killed = 0
            for number, moment in enumerate(moments):
                killed += _done(what, f"{what} {number}", data_dir, address, moment) < 0
                if what == "score":  # the same command goes on
                    _done(what, f"{what} {number}", data_dir, address, None)
            with opened(data_dir, address) as place:
                place.repository.delete_hidden()
                problems = half_made(place.repository)
            note = f"{killed} of {MOMENTS} killed within {seconds:.1f} s; {', '.join(problems) or 'nothing half made'}"
            rows.append(Row(f"{kind}: {what}, half made after kills", len(problems), "", most=0, note=note))
    waits = raters.waits()
    lost = Row(f"{kind}: raters' saves lost meanwhile", waits.lost, "", most=0, holds=waits.is_sound, note=waits.note)
    return [*rows, lost]


def _done(what: str, name: str, data_dir: Path, address: str | None, kill_after_s: float | None) -> float:
    """Do a piece of work in a process of its own; returns its seconds, below 0 where it was killed."""
    command = [sys.executable, "-m", "tests.benchmarks.growth_killed", what, name, str(data_dir)]
    process = subprocess.Popen([*command, *([address] if address else [])], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != BEGUN:
            raise RuntimeError(f"{what} has ended before it began.")
        start = time.perf_counter()
        try:
            process.wait(kill_after_s)
        except subprocess.TimeoutExpired:
            process.kill()
    if process.returncode not in (0, -9):
        raise RuntimeError(f"{what} has ended with {process.returncode}.")
    return time.perf_counter() - start if process.returncode == 0 else -1.0


def unscored(repository: Repository) -> list[str]:
    """Return the runs that have not scored each sample, after they were killed and went on."""
    counts = {n: repository.scores.count(DATASET, f"{Named.name}|score {n}") for n in range(MOMENTS)}
    return [f"run {n}: {one.known} of {one.samples}" for n, one in counts.items() if one.known != one.samples]


def half_copied(repository: Repository) -> list[str]:
    """Return the data sets of which the samples are not those that they are a copy of."""
    query = select(DatasetRow.name, func.count(SampleRow.id)).outerjoin(SampleRow).group_by(DatasetRow.name)
    with repository.database.read() as connection:
        found = dict(connection.execute(query).tuples().all())
    return [f"{name!r}: {count}" for name, count in found.items() if _is_large(name) and count != SAMPLES]


def half_taken_in(repository: Repository) -> list[str]:
    """Return the data sets without their study, the studies without all items, and hidden studies."""
    query = select(StudyRow.name, func.count(ItemRow.id)).outerjoin(ItemRow).group_by(StudyRow.name)
    with repository.database.read() as connection:
        items = dict(connection.execute(query).tuples().all())
        datasets = [name for name in connection.scalars(select(DatasetRow.name)) if name.startswith("bundle")]
    lacking = [f"{name}: {items.get(name)} items" for name in datasets if items.get(name) != ITEMS]
    hidden = [f"{name!r}: {count} items" for name, count in items.items() if not name.isprintable()]
    return [*half_copied(repository), *lacking, *hidden]


def half_imported(repository: Repository) -> list[str]:
    """Return the data sets of imports that lack samples, pictures or scores."""
    wanted = {"samples": SAMPLES, "pictures": SAMPLES // 5, "CIDEr": SAMPLES, "CLIPScore": SAMPLES}
    found = {one.name: one for one in repository.samples.datasets() if one.name.startswith("import")}
    got = {n: {"samples": d.samples, "pictures": d.images_missing, **d.scores} for n, d in found.items()}
    return [*half_copied(repository), *(f"{name}: {counts}" for name, counts in got.items() if counts != wanted)]


def half_added(repository: Repository) -> list[str]:
    """Return the additions of which only a part is there, or is there without its scores."""
    query = select(SampleRow.key, func.count(ScoreRow.id)).outerjoin(ScoreRow).join(DatasetRow)
    with repository.database.read() as connection:
        rows = connection.execute(query.where(DatasetRow.name == GROWN).group_by(SampleRow.id)).tuples().all()
    by_addition = Counter(key.rpartition(" ")[0] for key, scores in rows if scores == 2)
    lacking = [f"{key}: {scores} scores" for key, scores in rows if scores != 2]
    return [*lacking, *(f"{name}: {count}" for name, count in by_addition.items() if count != ADDED)]


def half_deleted(repository: Repository) -> list[str]:
    """Return the studies that are neither whole nor gone, and deletions that were not gone on with."""
    query = select(StudyRow.name, func.count(ItemRow.id)).outerjoin(ItemRow).group_by(StudyRow.name)
    with repository.database.read() as connection:
        items = dict(connection.execute(query).tuples().all())
        begun = connection.scalar(select(func.count()).where(ErasureRow.open)) or 0
    half = [f"{name!r}: {count} items" for name, count in items.items() if _is_deleted(name) and count != ITEMS]
    return [*half, *([f"{begun} deletions"] if begun else [])]


def _is_deleted(name: str) -> bool:
    return name.startswith("deletion") or not name.isprintable()


def _is_large(name: str) -> bool:
    return name.startswith(("copy", "bundle", "import")) or not name.isprintable()


KINDS: tuple[tuple[str, Callable[[Repository], list[str]]], ...] = (
    ("score", unscored),
    ("copy", half_copied),
    ("bundle", half_taken_in),
    ("import", half_imported),
    ("addition", half_added),
    ("deletion", half_deleted),
)


def main(what: str, name: str, data_dir: str, address: str | None = None) -> None:
    """Do one piece of work, and tell when it begins."""
    with opened(Path(data_dir), address) as place:
        print(BEGUN, flush=True)
        work(what, name, place)


if __name__ == "__main__":
    main(*sys.argv[1:])
