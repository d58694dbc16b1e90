"""Export a data set with its scores, and with a card that describes it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.datasets import FORMATS
from core.datasets.own_form import row_of
from core.errors import AlreadyExists, BadSetting, NotFound
from core.installation import COMMAND
from core.long_work.progress import Progress, no_progress
from core.signature import VERSION
from core.types import ImageRef
from storage.data.matching import MADE_KEY
from storage.types import Search
from ui.services.workplace import Workplace

WRITTEN = tuple(known for known in FORMATS if known.writer is not None)


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The result of an export."""

    dataset: str
    form: str
    folder: str
    samples: int
    left_out: tuple[str, ...]  # samples that the format cannot contain, each with the reason


def export_dataset(
    workplace: Workplace, dataset: str, form: str, folder: Path, progress: Progress = no_progress
) -> ExportReport:
    """Write a data set into a new folder. Raises NotFound, AlreadyExists, BadSetting, BadData."""
    writers = {one.name: one.writer for one in WRITTEN}
    if (writer := writers.get(form)) is None:
        raise BadSetting(f"Capscope cannot write the format {form}. It can write: {', '.join(writers)}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AlreadyExists(f"{folder} is not empty. Choose another folder.")
    known_sets = {one.name: one for one in workplace.repository.samples.datasets()}
    if dataset not in known_sets:
        raise NotFound(f"There is no data set {dataset!r}. Data sets: {', '.join(known_sets) or 'none'}.")
    ids = workplace.repository.samples.ids(Search(dataset))

    def samples() -> Iterator[tuple[dict[str, object], ImageRef]]:
        done = 0
        for batch in workplace.repository.samples.many(ids).parts():
            for stored in batch:
                key = None if stored.sample.key.startswith(MADE_KEY) else stored.sample.key
                yield row_of(stored.sample, key, stored.outcomes, stored.pair), stored.sample.image
            done += len(batch)
            progress(f"Writing {dataset}", done, len(ids))

    folder.mkdir(parents=True, exist_ok=True)
    left_out = writer(samples(), folder)
    report = ExportReport(dataset, form, str(folder), len(ids) - len(left_out), tuple(left_out))
    (folder / "README.md").write_text(_card(report, known_sets[dataset].notice), encoding="utf-8")
    return report


def _card(report: ExportReport, notice: str) -> str:
    """Return the data card for the Hugging Face hub. Names and notices are escaped and never become markup."""
    front = {"pretty_name": report.dataset, "tags": ["image-captioning", "evaluation", "capscope"]}
    return "\n".join(
        [
            *("---", *(f"{key}: {json.dumps(value)}" for key, value in front.items()), "---", ""),
            *(f"# {_code(report.dataset)}", "", *([_code(notice), ""] if notice else [])),
            f"- captions: {report.samples:,}, skipped: {len(report.left_out):,}",
            f"- written by Capscope {VERSION}; to import it again, run `{COMMAND} import {report.form}`",
            *(
                "",
                "The pictures, captions and judgements belong to their authors. This card grants no rights to them.\n",
            ),
        ]
    )


def _code(text: str) -> str:
    return "`" + " ".join(text.split()).replace("`", "'") + "`"
