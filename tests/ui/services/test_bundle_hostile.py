"""Bundles that a stranger made, with checksums that fit: refused in a sentence, or shown on every page of the study."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from tests.storage.test_migrations_filled import filled

from core.analysis.codebooks import Code, Codebook
from core.analysis.slices import Slice
from core.errors import BadSetting, UserError
from core.regions import masks
from core.types import ImageRegion
from storage.study_types import Study
from storage.tables import AssignmentRow
from tests.conftest import copied
from tests.making import METRICS, answer_all, rating
from tests.ui.conftest import client_of
from ui.services.scoring.judging import Judge
from ui.services.transfer.bundle import import_bundle, write_bundle
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

STUDIES = ("paid", "captions")
ODD: tuple[Any, ...] = (
    *(None, "", " ", "x" * 20_001, "a\r\nb", "a\0b", "\ud800", "..", "<b>", "closed"),
    *(0, 1, -1, 77, 2**31, 2**63, 10**30, 0.5, 1e308, True),
    *([], [[]], [1], [None], ["a"], list(range(100_000)), {}, {"a": 1}, {"a": None}, {"overall": "x"}),
    *("9999-12-31T23:59:59", "0001-01-01T00:00:00", "2020-01-01T00:00:00+05:00", "soon"),
)
OF_STUDY = (
    *("", "/report", "/monitor", "/report.html", "/bundle.zip", "/export.csv", "/export.jsonl"),
    *("/export.parquet", "/links", "/entry", "/panels", "/controls", "/disputes"),
    *("/controls/makings",),
)
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def bundles(birds_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """The files of three bundles, with rows in every table that a bundle has."""
    folder = tmp_path_factory.mktemp("stranger")
    with copied(birds_folder, folder / "data") as birds:
        filled(birds)
        repository = birds.repository
        for code, point in (("K8", 4), ("K9", 2)):
            answer_all(repository, repository.studies.named("paid"), repository.raters.add(code), point)
        region = ImageRegion(masks.full((48, 64)), (48, 64), "dog")
        repository.annotate("birds", {"secretpicture-1.png": (region,)}, ("dog", "cat"))
        repository.codings.add_codebook(Codebook("mine", "a source", (Code("a", "A"),)))
        repository.codings.set(1, METRICS[0], "mine", "ann", "a")
        repository.slices.save("birds", Slice("small", metric=METRICS[0]))
        for name in STUDIES:
            write_bundle(birds, repository.studies.named(name), folder / f"{name}.zip")
    return {name: content(folder / f"{name}.zip") for name in STUDIES}


def content(bundle: Path) -> Files:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Files, to: Path) -> Path:
    """Write a bundle whose checksums fit."""
    manifest = json.loads(files["manifest.json"])
    sums = {name: hashlib.sha256(text).hexdigest() for name, text in files.items() if name != "manifest.json"}
    with zipfile.ZipFile(to, "w") as archive:
        for name, text in (files | {"manifest.json": json.dumps(manifest | {"files": sums}).encode()}).items():
            archive.writestr(name, text)
    return to


def rows_of(files: Files, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[f"tables/{table}.jsonl"].splitlines()]


def changed(files: Files, table: str, change: Callable[[list[dict[str, Any]]], object]) -> Files:
    """Return files with the rows of a table changed."""
    rows = rows_of(files, table)
    change(rows)
    return files | {f"tables/{table}.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows).encode()}


@dataclass
class Host:
    """A server into which bundles are taken."""

    workplace: Workplace
    browser: TestClient
    folder: Path
    taken: int = 0

    def outcome(self, files: Files) -> str:
        """Take a bundle in; returns why it is refused, or "" once every page of its study was shown."""
        self.taken += 1
        bundle, name = packed(files, self.folder / "b.zip"), f"s{self.taken}"
        try:
            study, _ = import_bundle(self.workplace, bundle, name, name)
        except UserError as error:
            return str(error)
        self.show(study)
        self.workplace.repository.erasures.delete_study(study.id, study.name)
        return ""

    def show(self, study: Study) -> None:
        """Ask for every page of a study."""
        of = {"dataset": study.dataset, "metric": METRICS[0]}
        asked = [(f"/api/studies/{study.id}{path}", {}) for path in OF_STUDY[1:]]
        asked += [("/api/studies", {}), ("/api/samples", {"dataset": study.dataset}), ("/api/analyse/datasets", {})]
        asked += [(f"/api/analyse/{page}", of) for page in ("errors", "correlations", "left-out", "people", "points")]
        asked += [("/api/coding/coded", of | {"codebook": "mine"}), ("/api/analyse/slices", of), ("/api/filters", of)]
        asked += [("/api/analyse/studies", of), (f"/api/analyse/studies/{study.id}", {})]
        for path, parameters in asked:
            answer = self.browser.get(path, params=parameters)
            assert answer.status_code < 500, (path, answer.text[:300])
        assert (
            self.browser.post(f"/api/studies/{study.id}/state", json={"state": "running", "stamp": "never"}).status_code
            < 500
        )
        assert self.browser.post("/api/rate/session", json={"code": f"N{self.taken}"}).status_code == 200
        for path in (f"/api/rate/studies/{study.id}/visit", f"/api/rate/studies/{study.id}/items?start=1&count=20"):
            answer = self.browser.get(path)
            assert answer.status_code < 500, (path, answer.text[:300])
        self.browser.request("DELETE", "/api/rate/session")


@pytest.fixture(scope="module")
def host(api_of: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder = tmp_path_factory.mktemp("host")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    browser = client_of(api_of(workplace, Judge(workplace)), raise_server_exceptions=False)
    with closing(workplace.repository):
        yield Host(workplace, browser, folder)


def test_sound_bundles_are_taken_in_and_shown(host: Host, bundles: dict[str, Files]) -> None:
    for files in bundles.values():
        assert host.outcome(files) == ""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where something stands in nested JSON."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def put(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    value[path[0]] = put(value[path[0]], path[1:], odd)
    return value


def mutated(files: Files, random_: random.Random) -> tuple[Files, str]:
    """Return files with one value changed somewhere, and where."""
    table = random_.choice(
        sorted(name.split("/")[1][:-6] for name, text in files.items() if name.startswith("tables/") and text)
    )
    rows = rows_of(files, table)
    row = random_.choice(rows)
    column = random_.choice(sorted(row))
    path = random_.choice(list(places(row[column])))
    odd = copy.deepcopy(random_.choice([*ODD, *(other[column] for other in rows[:3])]))
    row[column] = put(row[column], path, odd)
    return files | {
        f"tables/{table}.jsonl": "".join(f"{json.dumps(one)}\n" for one in rows).encode()
    }, f"{table}.{column} {path} {str(odd)[:40]!r}"


def test_whatever_stands_in_a_bundle_no_page_breaks(host: Host, bundles: dict[str, Files]) -> None:
    random_ = random.Random(1)
    for _ in range(6):
        files, where = mutated(bundles[random_.choice(STUDIES)], random_)
        assert host.outcome(files) is not None, where


@pytest.mark.parametrize(
    ("study", "table", "change", "told"),
    [
        ("paid", "studies", {"name": "a\r\nb"}, "1 to 80 printable characters"),
        ("paid", "datasets", {"name": "x" * 100}, "A data set needs a name of 1 to 80"),
        ("paid", "assignments", {"panels": []}, "at least 1 item"),
        ("paid", "assignments", {"panels": list(range(1, 100_001))}, "at most 50 items"),
        ("paid", "assignments", {"panels": [77]}, "must contain each explanation once"),
        ("paid", "assignments", {"note": "a\0b"}, "must not contain the character NUL"),
        ("paid", "events", {"at": "9999-12-31T23:59:59"}, "a time must be"),
        ("paid", "participations", {"seen_at": "2020-01-01T00:00:00+05:00"}, "must be a time"),
        ("paid", "scores", {"rationales": [1]}, "should be an object"),
        ("paid", "scores", {"rationales": {}}, "neither an explained score"),
        ("paid", "scores", {"regions": [["x", 1, 1, None, True, 0.5, None, True]]}, "compressed run-length encoding"),
        ("paid", "samples", {"judgements": ["a"]}, "valid number"),
        ("paid", "study_criteria", {"highest": 5}, "contradict each other"),
        ("paid", "study_forms", {"text": "title = 1"}, "study_forms.text"),
        ("paid", "study_entries", {"entry": {"consent": 1}}, "study_entries.entry"),
        ("paid", "study_courses", {"hold_hours": 1e300}, "Items can be reserved"),
        ("paid", "controls", {"expected": {"factuality": [4, 1]}}, "that the study does not allow"),
        ("paid", "codebooks", {"codes": []}, "1 to 9 codes"),
        ("paid", "slices", {"conditions": {"name": "a", "level": "b"}}, "slices.conditions"),
    ],
)
def test_a_bundle_that_no_command_or_form_could_have_made_is_refused_in_a_sentence(
    host: Host, bundles: dict[str, Files], study: str, table: str, change: dict[str, Any], told: str
) -> None:
    files = changed(bundles[study], table, lambda rows: rows[0].update(change))
    assert told in host.outcome(files)
    assert host.workplace.repository.studies.all() == ()


@pytest.mark.parametrize("name", ["x" * 80, "a/b?c#d e", "Fünfzig Bilder 🐦"])
def test_a_study_with_a_name_of_any_allowed_length_arrives_paused_and_takes_answers(
    host: Host, bundles: dict[str, Files], name: str
) -> None:
    study, _ = import_bundle(host.workplace, packed(bundles["captions"], host.folder / "b.zip"), name, name)
    repository = host.workplace.repository
    assert study.course.state == "paused"
    rater = repository.raters.add(f"LONG{len(name)}")
    assert repository.desk.queue(study.id, rater, 1, 1).items == ()
    repository.life.step(study.id, "running")
    (item,) = repository.desk.queue(study.id, rater, 1, 1).items
    assert repository.save(rater, [rating(item, "correctness")]) == (None,)
    with repository.database.read() as connection:
        ids = connection.scalars(select(AssignmentRow.id).where(AssignmentRow.study_id == study.id)).all()
    assert all(len(one) <= 40 and one.isascii() and one.replace("-", "").replace("_", "").isalnum() for one in ids)
    repository.erasures.delete_study(study.id, name)


@pytest.mark.parametrize("name", ["", "x" * 81, "a\nb"])
def test_a_name_that_no_study_can_have_is_refused(host: Host, bundles: dict[str, Files], name: str) -> None:
    bundle = packed(bundles["paid"], host.folder / "b.zip")
    for given in ((name or " ", "fine"), ("fine", name or " ")):
        with pytest.raises(BadSetting, match="1 to 80 printable characters"):
            import_bundle(host.workplace, bundle, *given)
