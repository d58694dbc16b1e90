"""Run an import in a separate process, with the functions of the command `import`.

A file from outside may need any amount of memory and time. A separate process does not slow down storing raters'
answers, and its memory is limited. It ends when the server ends, because its standard input is then closed. The import
can be cancelled only before the transaction that makes the data visible. So an import is complete or leaves nothing.
"""

import json
import os
import pickle
import resource
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from typing import Any

from core.bad_rows import row_count, same_errors
from core.csv_text import csv_text
from core.datasets import format_named
from core.datasets.base import Record
from core.datasets.guessed_columns import first_records, guessed_format, guessed_layout, table_head
from core.errors import BadRow, BadRows, Cancelled, FetchFailed, StorageUnavailable, UserError
from core.long_work.progress import Progress as OnProgress
from core.types import Outcome, Score
from ui.services.importing.import_process import CANCELLED, REFUSED, WRITING, ImportJob, Progress, page_words

MOST_MEMORY = 3 * 2**30  # maximum bytes of the process's address space
LOOK_S = 120.0  # seconds after which a preview ends
PATIENCE_S = 5.0  # seconds for which a cancelled import may go on
SHOWN = 100  # maximum number of errors in the message to the server
LONGEST_TEXT = 300  # maximum characters of a caption in the preview
PAUSE_S = 0.1  # seconds between two progress reports
_NICE = 10  # lower priority than the server, so that raters' answers are stored first
UNSURE = "The format of this file is not certain. Choose one."
HEADS = ("file", "row", "field", "reason")

Tell = Callable[[Progress], None]


def main() -> int:
    """Run the job that standard input describes. Returns the exit code."""
    warnings.simplefilter("ignore")
    job: ImportJob = pickle.load(sys.stdin.buffer)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    os.nice(_NICE)
    os.chdir(job.folder)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # all other output goes to standard error

    def tell(progress: Progress) -> None:
        print(json.dumps(asdict(progress)), file=out, flush=True)

    cancelled, writing = threading.Event(), threading.Event()
    threading.Thread(target=_watch, args=(cancelled, writing), daemon=True).start()
    if job.look:
        timer = threading.Timer(LOOK_S, os._exit, (1,))
        timer.daemon = True
        timer.start()
    try:
        result = _looked(job) if job.look else _imported(job, _progress(tell, cancelled, writing))
        tell(Progress("done", result=result))
    except BadRow as bad:
        rows = bad.rows if isinstance(bad, BadRows) else (bad,)
        count = row_count(rows)
        words = f"Nothing was imported, because {count:,} {'row has an error' if count == 1 else 'rows have errors'}."
        tell(Progress("failed", problem=words, result=_refused(rows)))
    except Cancelled:
        tell(CANCELLED)
    except (UserError, StorageUnavailable, FetchFailed) as error:
        tell(Progress("failed", problem=page_words(str(error))))
    except MemoryError:
        most = f"{MOST_MEMORY / 2**30:.0f} GB of memory"
        problem = f"Nothing was imported, because reading the file takes more than {most}."
        tell(Progress("failed", problem=problem))
    return 0


def _watch(cancelled: threading.Event, writing: threading.Event) -> None:
    """End this process when the server closes the pipe or ends, unless it is already writing to the database."""
    while os.read(0, 1_000):  # waits; sys.stdin.read() would keep a lock that Python needs to end
        pass
    cancelled.set()
    time.sleep(PATIENCE_S)
    if not writing.is_set():
        os._exit(1)


def _progress(tell: Tell, cancelled: threading.Event, writing: threading.Event) -> OnProgress:
    """Return a callback that reports progress and stops a cancelled import."""
    last, last_at = "", 0.0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal last, last_at
        if what == WRITING:
            writing.set()
        if cancelled.is_set():
            raise Cancelled("The import was cancelled.")
        if what != last or done == total or time.monotonic() - last_at >= PAUSE_S:
            last, last_at = what, time.monotonic()
            tell(Progress("running", what, done, total))

    return progress


def _imported(job: ImportJob, progress: OnProgress) -> dict[str, Any]:
    # imported late, because a preview needs no database, so it starts in half the time
    from core.datasets.published_files import published_named
    from ui.services.importing.importing import import_files
    from ui.services.importing.published import get_published
    from ui.services.workplace import open_workplace
    from ui.settings import Settings

    asked = job.request
    opened = open_workplace(Settings(data_dir=job.data_dir, database=job.database))
    try:
        if job.published:
            (data,) = published_named(job.published)
            report = get_published(opened, data, job.downloads, progress, received=True)
        else:
            report = import_files(
                opened,
                asked.format,
                [Path(name) for name in asked.files],
                asked.dataset or None,
                [Path(name) for name in asked.images],
                asked.skip_bad,
                progress,
                received=True,
                layout=asked.accepted,
            )
        about = "from published data" if job.published else asked.format
        opened.repository.audit.add(job.who, "data imported", f"data set {report.dataset}, {about}")
    finally:
        opened.repository.close()
    summary = {
        "dataset": report.dataset,
        "notes": list(map(page_words, report.notes)),
        "skipped": row_count(report.skipped),
        "unreadable": len(report.unreadable),
    }
    return summary | asdict(report.counts) | _refused(report.skipped, report.unreadable, report.missing)


def _refused(rows: Iterable[BadRow], pictures: Sequence[str] = (), missing: Sequence[str] = ()) -> dict[str, Any]:
    """Write all refused rows and pictures to a CSV file.

    Return how many there are, and the first errors. Rows with the same error share one entry in this list of errors.
    """
    rows = list(rows)
    without = [
        *(("", "", "picture", reason) for reason in pictures),
        *((PurePosixPath(name).name, "", "picture", "the picture was not found") for name in missing),
    ]
    lines = [*((bad.file.name, str(bad.row), bad.field, page_words(bad.reason)) for bad in rows), *without]
    # The byte order mark tells Excel that the file is UTF-8
    with Path(REFUSED).open("w", newline="", encoding="utf-8-sig") as file:
        file.write(csv_text([HEADS, *lines], "\r\n"))
    errors = [(error.file, error.numbers, error.field, page_words(error.reason)) for error in same_errors(rows)]
    return {"refused": len(lines), "first_refused": [*errors, *without][:SHOWN]}


def _looked(job: ImportJob) -> dict[str, Any]:
    """Return a preview of a job's file.

    It has the first rows of the file, its probable columns, and the first samples.
    """
    asked, path = job.request, Path(job.request.files[0])
    fmt = format_named(asked.format) if asked.format else guessed_format(path)
    if fmt is None:
        return {"format": "", "head": None, "guess": None, "records": [], "problems": [UNSURE]}
    head, guess, layout = table_head(fmt, path), None, asked.layout
    if head is not None and not layout.columns:  # the user has not chosen columns yet
        guess = guessed_layout(fmt, path, head[0], _known_metrics())
        layout = replace(guess, system=layout.system, keep=layout.keep, metric=layout.metric)
    records, problems = first_records(fmt, path, replace(asked, format=fmt.name, layout=layout).accepted)
    return {
        "format": fmt.name,
        "head": head and {"columns": head[0], "rows": head[1]},
        "guess": None if guess is None else asdict(guess),
        "records": [_record(record) for record in records],
        "problems": [page_words(problem) for problem in problems],
    }


def _known_metrics() -> frozenset[str]:
    """Return the names of metrics that score here or that papers printed. A column with such a name has scores."""
    from core.benchmarks.published import printed_figures
    from core.metrics import METRICS

    return frozenset(
        {metric.name for metric in METRICS} | {one.figure.metric for one in printed_figures()} - {"length"}
    )


def _record(record: Record) -> dict[str, Any]:
    return {
        "image": record.image[:LONGEST_TEXT],
        "caption": record.candidate[:LONGEST_TEXT],
        "system": record.system,
        "references": len(record.references),
        "human": record.human,
        "scores": [_outcome(one) for one in record.scores],
    }


def _outcome(one: Outcome) -> dict[str, Any]:
    value, texts = (one.value, one.explanation.rationales) if isinstance(one, Score) else (None, {})
    explanation = " ".join(texts.values())[:LONGEST_TEXT]
    return {"metric": one.metric[:LONGEST_TEXT], "value": value, "explanation": explanation}


if __name__ == "__main__":
    sys.exit(main())
