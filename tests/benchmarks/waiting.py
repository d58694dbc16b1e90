"""How long raters wait with their saves while something else writes to the same database.

    with workplace(data_dir) as place:
        make_study(place, data_dir / "rated", ITEMS)
    with raters_at_work(data_dir) as waits:
        ...  # what writes
    print(waits.p99)

As a program, `python -m tests.benchmarks.waiting DATA_DIR` saves until its standard input ends.
"""

import itertools
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import text

from core.errors import AlreadyExists, StorageBusy, UserError
from core.studies.asking.form_file import form_named
from storage import open_repository
from storage.repository import Repository
from storage.study_types import Save
from tests.benchmarks.rows import percentile
from tests.benchmarks.serving import ROOT
from ui.services.workplace import DATABASE

ITEMS, RATERS, PAUSE_S = 5, 6, 0.05
PATIENCE_S = 60.0
_CRITERIA = form_named("expert-single").criteria


@dataclass(slots=True)
class Waits:
    """What raters met with; filled when they have ended."""

    milliseconds: list[float] = field(default_factory=list)  # of acknowledged saves, until they are on the disk
    refused: int = 0
    lost: int = 0  # acknowledged saves that the database lacks

    @property
    def p99(self) -> float:
        """Return the 99th percentile in ms."""
        return percentile(self.milliseconds, 99)

    @property
    def note(self) -> str:
        """Return what stands beside the percentile in a table."""
        saves = f"{len(self.milliseconds):,} saves, longest {max(self.milliseconds):,.0f} ms"
        return f"{saves}, {self.lost} lost, {self.refused} refused"


@contextmanager
def raters_at_work(data_dir: Path) -> Iterator[Waits]:
    """Let raters save in a process of their own until the block ends; it begins when each has saved once."""
    command, waits = [sys.executable, "-m", "tests.benchmarks.waiting", str(data_dir)], Waits()
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("The raters' process has ended before its first saves.")
        yield waits
        saves = json.loads(process.communicate(timeout=PATIENCE_S)[0])
    saved = {key: ms for key, ms, is_saved in saves if is_saved}
    with closing(open_repository(data_dir / DATABASE)) as repository, repository.database.read() as connection:
        stored = set(connection.scalars(text("SELECT request_key FROM events")))
    waits.milliseconds = list(saved.values())
    waits.refused, waits.lost = len(saves) - len(saved), len(set(saved) - stored)


def _rate(
    repository: Repository, number: int, begun: threading.Barrier, over: threading.Event
) -> list[tuple[str, float, bool]]:
    """Change one's mind about the same few items until it is over; returns key, ms and success of each save."""
    code, numbers, saves = f"W{number}", random.Random(f"{number} {time.time_ns()}"), []
    with suppress(AlreadyExists):
        repository.raters.add(code)
    rater = repository.raters.named(code)
    items = [item.id for item in repository.desk.queue(1, rater, 1, ITEMS).items]
    for count in itertools.count():
        key, criterion = f"{numbers.getrandbits(128):032x}", numbers.choice(_CRITERIA).key
        answer = {"assignment": numbers.choice(items), "criterion": criterion, "point": numbers.randint(1, 2)}
        start = time.perf_counter()
        try:
            is_saved = repository.save(rater, [Save(key=key, kind="rating", age_ms=0, panel=1, **answer)]) == (None,)
        except (StorageBusy, UserError):
            is_saved = False
        saves.append((key, 1000 * (time.perf_counter() - start), is_saved))
        if count == 0:
            begun.wait(PATIENCE_S)
        if over.wait(PAUSE_S * (0.5 + numbers.random())):
            return saves


def main(data_dir: str) -> None:
    """Rate until standard input ends, however whoever began this has ended."""
    begun, over = threading.Barrier(RATERS + 1), threading.Event()
    with closing(open_repository(Path(data_dir) / DATABASE)) as repository, ThreadPoolExecutor(RATERS) as pool:
        raters = [pool.submit(_rate, repository, number, begun, over) for number in range(RATERS)]
        begun.wait(PATIENCE_S)
        print("ready", flush=True)
        sys.stdin.read()
        over.set()
        print(json.dumps([save for rater in raters for save in rater.result()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
