"""What tests are made of: rows in our own form, pictures drawn here, and raters who answer. No test lives here."""

import io
import itertools
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from core.studies.asking.form_file import form_named
from core.studies.design import StudyDesign
from core.types import Score
from storage import Repository, open_repository
from storage.study_types import AssignedItem, Rater, Save, Study
from storage.tables import Table
from storage.types import Search
from ui.services.importing.importing import ImportReport, import_files
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

# Names that no English text, script or style sheet holds by chance.
METRICS = ("ZorkScore", "BlimpCap", "QuuxEval")
HOSTILE = "<img src=x onerror=alert(1)><svg><script>alert(2)</script></svg>${7*7}{{7*7}}"
_keys = itertools.count()


def picture(path: Path, colour: str = "teal", size: tuple[int, int] = (64, 48)) -> Path:
    """Draw a plain picture; the ending says in which format."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, colour).save(path)
    return path


def score(metric: str, value: float, **more: Any) -> dict[str, Any]:
    """Return a score with an explanation, a paragraph for the first metric and three aspects for the others."""
    texts = {"overall": f"One paragraph about {value}."}
    if metric != METRICS[0]:
        texts = {aspect: f"The {aspect} at {value}." for aspect in ("fluency", "relevance", "descriptiveness")}
    return {"metric": metric, "value": value, "rationales": texts} | more


def rows(count: int, metrics: Sequence[str] = METRICS) -> list[dict[str, Any]]:
    """Return samples with a picture and an explained score of every metric, spread over [0, 1]."""
    return [
        {
            "id": f"secretkey-{number}",
            "image": f"secretpicture-{number}.png",
            "caption": f"A caption with number {number}.",
            "references": [f"A reference with number {number}."],
            "human": number / max(1, count - 1),
            "judgements": [1 + number % 4] * 3,
            "scores": [score(metric, (number + place / 10) / count) for place, metric in enumerate(metrics)],
        }
        for number in range(count)
    ]


def write_rows(folder: Path, samples: Iterable[Mapping[str, Any]], name: str = "birds.jsonl") -> Path:
    """Write rows as a JSONL file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(sample)}\n" for sample in samples), encoding="utf-8")
    return path


def draw_pictures(folder: Path, samples: Sequence[Mapping[str, Any]]) -> None:
    """Draw every picture that rows name, each in a colour of its own, but those called missing."""
    for number, sample in enumerate(samples):
        if "missing" not in sample["image"]:
            picture(folder / sample["image"], f"#{number * 9973 % 0xFFFFFF:06x}")


def opened_again(workplace: Workplace) -> Repository:
    """Open a workplace's database once more, as another process would."""
    return open_repository(address(workplace))


def address(workplace: Workplace) -> str:
    """Return where a workplace's database is."""
    return workplace.repository.database.engine.url.render_as_string(hide_password=False)


def dumped(repository: Repository) -> str:
    """Return every row of every table, as text."""
    with repository.database.read() as connection:
        return "\n".join(repr(connection.execute(table.select()).all()) for table in Table.metadata.sorted_tables)


def values_of(repository: Repository, dataset: str, signature: str) -> dict[int, float]:
    """Return the scores with a signature, by the samples' ids."""
    stored = repository.samples.many(repository.samples.ids(Search(dataset)))
    scores = [(one.id, of) for one in stored for of in one.outcomes if isinstance(of, Score)]
    return {number: of.value for number, of in scores if of.signature == signature}


def sound(repository: Repository) -> bool:
    """Whether every row that another one points at is there; PostgreSQL lets nobody make it otherwise."""
    with repository.database.read() as connection:
        on_sqlite = connection.dialect.name == "sqlite"
        return not on_sqlite or connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def import_rows(
    workplace: Workplace, folder: Path, samples: Sequence[Mapping[str, Any]], dataset: str = "birds", **options: Any
) -> ImportReport:
    """Import rows as a researcher would: a file with its pictures beside it."""
    draw_pictures(folder, samples)
    path = write_rows(folder, samples, f"{dataset}.jsonl")
    return import_files(workplace, "jsonl", [path], dataset, **options)


def make_study(workplace: Workplace, name: str = "demo", **request: Any) -> Study:
    """Make a study of the data set birds. With a size, each caption has one item, of the first metric."""
    asked = StudyDesign(**{"name": name, "dataset": "birds", "seed": 7} | request)
    form = asked.asked()
    if asked.size is not None and not asked.metrics and form.layout == "single" and form.rates == "explanation":
        explained = {one.metric for of in workplace.repository.samples.candidates(asked.dataset) for one in of.scores}
        asked = replace(asked, metrics=tuple(sorted(explained)[:1]))
    return services.create_study(workplace, asked)


def rating(item: AssignedItem, criterion: str = "consistency", point: Any = 3, **more: Any) -> Save:
    """Return an answer about an item's first panel, with a key of its own."""
    values = {"key": f"test-key-{next(_keys)}", "assignment": item.id, "kind": "rating", "age_ms": 0, "panel": 1}
    return Save(**values | {"criterion": criterion, "point": point} | more)


def reveal(item: AssignedItem, **more: Any) -> Save:
    """Return the lifting of an item's veil."""
    return Save(**{"key": f"test-key-{next(_keys)}", "assignment": item.id, "kind": "reveal", "age_ms": 0} | more)


def note(item: AssignedItem, text: Any) -> Save:
    """Return a remark on an item."""
    return Save(key=f"test-key-{next(_keys)}", assignment=item.id, kind="note", age_ms=0, text=text)


def answer_all(repository: Repository, study: Study, rater: Rater, point: int = 3) -> None:
    """Answer every question of every item that the rater gets, twenty items in one message."""
    place = 1
    while items := repository.desk.queue(study.id, rater, place, 20).items:
        questions = [(item, c, panel.place) for item in items for c in CRITERIA for panel in item.panels]
        repository.save(rater, [rating(item, criterion, point, panel=panel) for item, criterion, panel in questions])
        place += len(items)


PAIRED = form_named("pairwise-captions").text.replace('"caption"', '"explanation"')
PAIRED_EXPLANATIONS = PAIRED.replace("false", "true")  # a form that compares two explanations
CRITERIA = ("consistency", "factuality", "informativeness")


def zipped(*names: str) -> bytes:
    """Return a ZIP file of pictures, each of another colour."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for number, name in enumerate(names, 1):
            content = io.BytesIO()
            Image.new("RGB", (30, 20), (number % 256, 9, 9)).save(content, "PNG")
            archive.writestr(name, content.getvalue())
    return held.getvalue()


def files_of(folder: Path) -> list[Path]:
    """Return all files below a folder."""
    return [path for path in folder.rglob("*") if path.is_file()]
