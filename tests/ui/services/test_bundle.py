"""Study bundles: the same report elsewhere, to the byte; nothing of people; nothing that was changed."""

import csv
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from alembic.migration import MigrationContext
from PIL import ExifTags, Image
from sqlalchemy import select

from core.costs import Usage
from core.errors import BadFile, BadImage, BadSetting
from core.images.pictures import open_rgb
from core.long_work.progress import reporting
from core.metrics.bleu import Bleu4
from core.models import ModelSettings
from core.studies.results.dictionary import MEANINGS
from core.studies.results.export import COLUMNS
from core.types import Score
from storage import tables
from storage.engine.migration import revisions
from storage.transfer.bundle import BELONGS, STAYS
from storage.transfer.dictionary import described_columns
from storage.types import Search
from tests.command_line import command_line
from tests.conftest import copied
from tests.making import answer_all, import_rows, make_study, opened_again, rows, write_rows
from ui.report.page import report_html
from ui.services.importing.importing import import_files
from ui.services.transfer.bundle import import_bundle, opened_bundle, write_bundle
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings


@pytest.fixture(scope="module")
def rated_folder(birds_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set birds, a study that two raters have answered, and another study; to be copied."""
    folder = tmp_path_factory.mktemp("rated") / "data"
    with copied(birds_folder, folder) as birds:
        repository = birds.repository
        study = make_study(birds, "pilot", form="side_by_side")
        for code, point in (("K7", 4), ("M2", 2)):
            answer_all(repository, study, repository.raters.add(code), point)
        repository.links.make(study.id, "K7")
        answer_all(repository, make_study(birds, "nobody else's"), repository.raters.add("ELSEWHERE"))
    return folder


@pytest.fixture
def rated(rated_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    with copied(rated_folder, tmp_path / "data") as opened:
        yield opened


@pytest.fixture(scope="module")
def written(rated_folder: Path) -> Path:
    """The study's bundle; to be copied."""
    to = rated_folder.parent / "pilot.zip"
    rated = open_workplace(Settings(data_dir=rated_folder))
    with closing(rated.repository):
        write_bundle(rated, rated.repository.studies.named("pilot"), to, with_pictures=True)
    return to


@pytest.fixture
def bundle(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(written, tmp_path))


def content(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewritten(bundle: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    files = content(bundle)
    change(files)
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return bundle


def test_every_table_is_either_in_a_bundle_or_named_as_staying() -> None:
    kinds = {mapper.class_ for mapper in tables.Table.registry.mappers}
    assert kinds == {*BELONGS, *STAYS}


def test_every_column_has_a_meaning() -> None:
    assert all(one.meaning.text for one in described_columns())
    assert tuple(MEANINGS) == COLUMNS


def test_a_report_from_a_bundle_is_the_original_to_the_byte(rated: Workplace, bundle: Path) -> None:
    original = report_html(rated, rated.repository.studies.named("pilot"))
    with opened_bundle(bundle) as (theirs, study):
        assert report_html(theirs, study) == original
        assert [one.name for one in theirs.repository.studies.all()] == ["pilot"]
        again = bundle.with_name("again.zip")
        write_bundle(theirs, study, again, with_pictures=True)
    assert again.read_bytes() == bundle.read_bytes()


def test_a_bundle_names_nobody_but_by_code_and_holds_nothing_of_other_studies(bundle: Path) -> None:
    everything = b"\n".join(text for name, text in content(bundle).items() if not name.startswith("pictures/"))
    for foreign in (b"token_hash", b"nobody else's", b"ELSEWHERE", b"secret.key", b"argon2", bytes(bundle.parent)):
        assert foreign not in everything
    assert b"K7" in everything


def test_pictures_come_along_only_when_asked_for(rated: Workplace, bundle: Path, tmp_path: Path) -> None:
    made = write_bundle(rated, rated.repository.studies.named("pilot"), tmp_path / "lean.zip")
    assert made.pictures == 0
    assert not [name for name in content(tmp_path / "lean.zip") if name.startswith("pictures/")]
    assert len([name for name in content(bundle) if name.startswith("pictures/")]) == 6


def test_the_dictionary_names_every_column_of_every_file(bundle: Path) -> None:
    files = content(bundle)
    told = {(row["file"], row["column"]) for row in csv.DictReader(io.StringIO(files["data_dictionary.csv"].decode()))}
    for name, text in files.items():
        if name.startswith("tables/") and text:
            assert {(name, column) for column in json.loads(text.splitlines()[0])} <= told
    header = files["ratings.csv"].decode("utf-8-sig").splitlines()[0]
    assert {("ratings.csv", column) for column in header.split(",")} <= told


def test_a_study_is_taken_in_beside_others_with_new_numbers(rated: Workplace, bundle: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    other = open_workplace(Settings(data_dir=folder))
    with closing(other.repository):
        import_rows(other, tmp_path / "files", rows(4), "finches")
        other.repository.raters.add("K7")  # somebody else
        taken, pictures = import_bundle(other, bundle)
        assert (taken.name, taken.dataset, taken.items, pictures) == ("pilot", "birds", 6, 6)
        theirs, ours = (
            [
                (r.sample, r.metric, r.criterion, r.rating, r.panel_position, r.score)
                for r in of[0].repository.studies.records(of[1].id)
                if not r.left_out
            ]
            for of in ((other, taken), (rated, rated.repository.studies.named("pilot")))
        )
        assert theirs == ours
        assert {record.rater for record in other.repository.studies.records(taken.id)} == {"K7-2", "M2"}
        shown = other.repository.samples.pictures("birds")["secretpicture-1.png"]
        assert shown.path is not None and shown.path.is_file() and shown.path.is_relative_to(folder)
        assert other.pictures.small(shown) is not None
        answer_all(other.repository, taken, other.repository.raters.add("NEW"))  # it goes on


def test_a_name_that_is_taken_is_told_and_another_one_helps(
    rated: Workplace, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rated.repository.close()
    run = command_line(rated.data_dir, capsys)
    assert "'birds' is already used by one of the datasets here" in run("import", "bundle", bundle).err
    refused = run("import", "bundle", bundle, "--dataset", "birds again")
    assert refused.code == 2 and "'pilot' is already used by one of the studies" in refused.err
    taken = run("import", "bundle", bundle, "--dataset", "birds again", "--study", "second pilot", "--json").json
    assert (taken["study"], taken["dataset"], taken["items"]) == ("second pilot", "birds again", 6)
    first, second = (run("report", name, "--json").json["rows"] for name in ("pilot", "second pilot"))
    assert first == second


def test_the_command_line_writes_and_reports(
    rated: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rated.repository.close()
    run, to = command_line(rated.data_dir, capsys), tmp_path / "p.zip"
    assert "Others can make the same report" in run("study", "bundle", "pilot", "--to", to).out
    here, there = tmp_path / "here.html", tmp_path / "there.html"
    run("report", "pilot", "--to", here)
    elsewhere = command_line(tmp_path / "nothing", capsys)
    assert elsewhere("report", to, "--to", there).code == 0
    assert there.read_bytes() == here.read_bytes() and not (tmp_path / "nothing").exists()
    assert "must end in .zip" in run("study", "bundle", "pilot", "--to", tmp_path / "p.tar").err
    assert "not a valid ZIP file" in run("report", tmp_path / "missing.zip").err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda files: files.update({"ratings.csv": files["ratings.csv"] + b" "}),
            "ratings.csv has a wrong checksum",
        ),
        (lambda files: files.pop("form.toml"), "the files differ from the list in the manifest"),
        (lambda files: files.update({"../evil": b"x"}), "the files differ from the list in the manifest"),
        (lambda files: files.update({"manifest.json": b"[]"}), "this is not a bundle"),
        (lambda files: files.pop("manifest.json"), "this is not a bundle"),
    ],
)
def test_a_bundle_that_was_changed_is_told(
    bundle: Path, change: Callable[[dict[str, bytes]], object], told: str
) -> None:
    with pytest.raises(BadFile, match=told), opened_bundle(rewritten(bundle, change)):
        pass


@pytest.mark.parametrize(
    ("table", "old", "new", "told"),
    [
        ("ratings", b'"point": 4', b'"point": 9', "contradict each other"),
        ("ratings", b'"point": 4', b'"point": "4"', "expected int, found '4'"),
        ("scores", b'"value": 0.0,', b'"value": NaN,', "NaN is not a number"),
        ("scores", b'"usage": null', b'"usage": {"answers": -1}', "greater than or equal to 0"),
        (
            "scores",
            b'"usage": null',
            b'"usage": {"answers": 1, "counted": 1}',
            "need a number of tokens if counted is above 0",
        ),
        ("scores", b'"usage": null', b'"usage": {"answers": 1, "counted": 0, "x": 1}', "unexpected keyword"),
        ("scores", b'"usage": null', b'"usage": 7', "Input should be an object"),
        ("scores", b'"seconds": null', b'"seconds": {"model": -1.0}', "greater than or equal to 0"),
        ("scores", b'"seconds": null', b'"seconds": {"model": "1"}', "valid number"),
        ("images", b'"path": "pictures/', b'"path": "/etc/', "the path of a picture"),
        ("raters", b'"code": "K7"', rb'"code": "K7\"\r\nSet-Cookie: x=1"', "this is not the code of a rater"),
        ("raters", b'"created_at"', b'"name"', "does not have the columns"),
        ("samples", b'"id": 1,', b'"id": ' + b"9" * 30 + b",", "contradict each other"),
        ("samples", b'"system": null', b'"system": "' + b"x" * 201 + b'"', "contradict each other"),
        ("samples", b'"system": null', b'"system": 5', "expected str"),
        ("samples", b'"system": null', rb'"system": "a\nb"', "one line of printable characters"),
        ("samples", b'"id": 1,', b'"id": ' + b"[" * 100_000 + b",", "must be a JSON object"),
        ("assignments", b'"rater_id": 1', b'"rater_id": 77', "contradict each other"),
    ],
)
def test_rows_that_were_changed_with_their_checksums_still_have_to_fit(
    bundle: Path, table: str, old: bytes, new: bytes, told: str
) -> None:
    def change(files: dict[str, bytes]) -> None:
        name = f"tables/{table}.jsonl"
        assert old in files[name]
        files[name] = files[name].replace(old, new)
        manifest = json.loads(files["manifest.json"])
        manifest["files"][name] = hashlib.sha256(files[name]).hexdigest()
        files["manifest.json"] = json.dumps(manifest).encode()

    with pytest.raises(BadFile, match=told), opened_bundle(rewritten(bundle, change)):
        pass


def test_tokens_and_seconds_of_scores_come_along(rated: Workplace, tmp_path: Path) -> None:
    usage, seconds = Usage(2, 1, 700, 30, 730, None, 20), {"picture": 0.25, "model": 1.5}
    scored = Score("FLEUR", 0.5, "FLEUR|v:1", usage=usage, seconds=seconds)
    rated.repository.scores.save(1, scored)
    bundle = tmp_path / "costs.zip"
    write_bundle(rated, rated.repository.studies.named("pilot"), bundle)
    other = open_workplace(Settings(data_dir=tmp_path / "elsewhere"))
    with closing(other.repository):
        taken, _ = import_bundle(other, bundle)
        samples = other.repository.samples
        found = [one for stored in samples.many(samples.ids(Search(taken.dataset))) for one in stored.outcomes]
    assert [(one.usage, one.seconds) for one in found if one.metric == "FLEUR"] == [(usage, seconds)]
    assert {(one.usage, not one.seconds) for one in found if one.metric != "FLEUR"} == {(None, True)}


def test_matches_with_references_come_along_and_must_lie_in_their_texts(rated: Workplace, tmp_path: Path) -> None:
    (outcome,) = Bleu4.load(ModelSettings(explain=True)).score([rated.repository.samples.get(1).sample])
    assert isinstance(outcome, Score) and outcome.explanation.matches
    rated.repository.scores.save(1, outcome)
    bundle = tmp_path / "matched.zip"
    write_bundle(rated, rated.repository.studies.named("pilot"), bundle)
    other = open_workplace(Settings(data_dir=tmp_path / "elsewhere"))
    with closing(other.repository):
        taken, _ = import_bundle(other, bundle)
        samples = other.repository.samples
        assert outcome in [
            one for stored in samples.many(samples.ids(Search(taken.dataset))) for one in stored.outcomes
        ]

    def move(files: dict[str, bytes]) -> None:
        name = "tables/scores.jsonl"
        files[name] = files[name].replace(b'"places": [[0,', b'"places": [[9999, 10000], [0,')

    with (
        pytest.raises(BadFile, match="a match whose position is outside the caption"),
        opened_bundle(sealed(bundle, move)),
    ):
        pass


def test_captioners_come_along(rated: Workplace, tmp_path: Path) -> None:
    import_rows(rated, tmp_path / "again", [{**row, "system": "vinvl", "scores": []} for row in rows(3)])
    bundle = tmp_path / "captioners.zip"
    write_bundle(rated, rated.repository.studies.named("pilot"), bundle)
    other = open_workplace(Settings(data_dir=tmp_path / "elsewhere"))
    with closing(other.repository):
        taken, _ = import_bundle(other, bundle)
        found = other.repository.samples.ids(Search(taken.dataset, system="vinvl"))
    assert len(found) == 3


def sealed(bundle: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """A bundle that somebody has changed with its checksums."""

    def also_checksums(files: dict[str, bytes]) -> None:
        change(files)
        manifest = json.loads(files["manifest.json"])
        sums = {name: hashlib.sha256(text).hexdigest() for name, text in files.items() if name != "manifest.json"}
        files["manifest.json"] = json.dumps(manifest | {"files": sums}).encode()

    return rewritten(bundle, also_checksums)


def test_no_picture_comes_under_another_ones_checksum_and_none_that_is_no_picture(
    rated: Workplace, bundle: Path, tmp_path: Path
) -> None:
    here = open_workplace(Settings(data_dir=tmp_path / "here"))
    original = content(bundle)
    first, second, *_ = sorted(name for name in original if name.startswith("pictures/"))
    fake = b"<svg onload='alert(1)'>"
    digest = hashlib.sha256(fake).hexdigest()
    wanted = first.removeprefix("pictures/").partition(".")[0]

    def no_picture(files: dict[str, bytes]) -> None:
        del files[first]
        files[f"pictures/{digest}.png"] = fake
        for name in ("images", "scores"):
            files[f"tables/{name}.jsonl"] = files[f"tables/{name}.jsonl"].replace(wanted.encode(), digest.encode())

    with closing(here.repository):
        with pytest.raises(BadFile, match="the name of a picture differs from its checksum"):
            import_bundle(here, sealed(bundle, lambda files: files.update({first: files[second]})))
        with pytest.raises(BadImage):
            import_bundle(here, sealed(rewritten(bundle, lambda files: files.update(original)), no_picture))
        assert here.repository.studies.all() == () and not list(here.data_dir.glob("pictures/*"))


@contextmanager
def other_content(path: Path, content: bytes) -> Iterator[None]:
    """Let a file hold something else for a while."""
    before = path.read_bytes()
    path.write_bytes(content)
    try:
        yield
    finally:
        path.write_bytes(before)


def test_a_picture_that_has_changed_since_is_left_out(rated: Workplace, tmp_path: Path) -> None:
    study, to = rated.repository.studies.named("pilot"), tmp_path / "p.zip"
    before = write_bundle(rated, study, to, with_pictures=True)
    image = next(one for one in rated.repository.samples.pictures(study.dataset).values() if one.path is not None)
    assert image.path is not None
    with other_content(image.path, b"another one"):  # other tests have the same picture
        after = write_bundle(rated, study, to, with_pictures=True)
        assert (after.pictures, after.missing) == (before.pictures - 1, before.missing + 1)
        with opened_bundle(to) as (_, opened):
            assert opened.name == "pilot"


def test_pictures_in_a_bundle_hold_no_metadata_and_are_named_by_their_own_checksum(
    workplace: Workplace, tmp_path: Path
) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation], exif[ExifTags.Base.Artist] = 6, "Lena Example"
    samples = [row | {"image": f"picture-{row['id']}"} for row in rows(4)]
    (tmp_path / "files").mkdir()
    for sample, ending in zip(samples, ("jpg", "png", "webp", "tiff"), strict=True):
        sample["image"] += f".{ending}"
        drawn = Image.effect_mandelbrot((64, 48), (-3, -2.5, 2, 2.5), 100).convert("RGB")
        drawn.save(tmp_path / "files" / sample["image"], exif=exif)
        assert b"Lena Example" in (tmp_path / "files" / sample["image"]).read_bytes()
    import_files(workplace, "jsonl", [write_rows(tmp_path / "files", samples)], "birds")
    study, to = make_study(workplace, "pilot", form="side_by_side"), tmp_path / "p.zip"
    assert write_bundle(workplace, study, to, with_pictures=True).pictures == 4
    packed = {name: text for name, text in content(to).items() if name.startswith("pictures/")}
    assert not [name for name, text in packed.items() if b"Lena Example" in text]
    assert all(hashlib.sha256(text).hexdigest() in name for name, text in packed.items())
    assert sorted(Path(name).suffix for name in packed) == [".jpg", ".png", ".png", ".webp"]  # TIFF became PNG
    with opened_bundle(to) as (theirs, opened):
        assert report_html(theirs, opened) == report_html(workplace, study)
        again = tmp_path / "again.zip"
        write_bundle(theirs, opened, again, with_pictures=True)
    assert again.read_bytes() == to.read_bytes()
    other = open_workplace(Settings(data_dir=tmp_path / "other"))
    with closing(other.repository):
        import_bundle(other, to)
        for name, ours in workplace.repository.samples.pictures("birds").items():
            taken = other.repository.samples.pictures("birds")[name]
            assert ours.path is not None and taken.path is not None and other.pictures.small(taken) is not None
            assert (np.asarray(open_rgb(taken.path)) == np.asarray(open_rgb(ours.path))).all()


def test_a_packed_file_that_is_damaged_is_told(bundle: Path) -> None:
    data = bytearray(bundle.read_bytes())
    at = data.find(b"tables/samples.jsonl") + 40
    data[at : at + 100] = bytes(100)
    bundle.write_bytes(data)
    with pytest.raises(BadFile, match="not a valid ZIP file"), opened_bundle(bundle):
        pass


def test_a_place_that_cannot_be_written_is_told(rated: Workplace, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="Cannot write"):
        write_bundle(rated, rated.repository.studies.named("pilot"), tmp_path / "no folder" / "p.zip")


def test_others_write_while_a_bundle_comes_in_and_nobody_sees_half_of_it(
    workplace: Workplace, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writers' lock was held for the whole bundle, its data set and the copies of its pictures."""
    monkeypatch.setattr("storage.engine.short_transactions.FEWEST", 2)
    monkeypatch.setattr("storage.engine.short_transactions.MOST", 2)
    other, seen = opened_again(workplace), []

    def between(what: str, done: int, total: int) -> None:
        with other.database.write(patience_s=1):
            seen.append((what, other.samples.datasets(), other.studies.all(), other.raters.has_some()))

    with reporting(between):
        study, _ = import_bundle(workplace, bundle)
    of_study = {"items", "item_scores", "assignments", "ratings", "events"}
    told = {what.removeprefix("Taking in ") for what, *_ in seen}
    assert told == {"images", "samples", "scores"} | of_study
    assert {tuple(rest) for _, *rest in seen} == {((), (), False)}
    assert [one.name for one in other.samples.datasets()] == ["birds"] and other.studies.named("pilot").id == study.id
    other.close()


def test_only_the_first_bundle_of_a_revision_waits_until_its_tables_are_made(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_bundle(bundle) as (_, first):
        pass
    monkeypatch.setattr("storage.transfer.bundle.migrate", pytest.fail)
    monkeypatch.setattr("storage.engine.migration.migrate", pytest.fail)
    with opened_bundle(bundle) as (_, second):
        assert second == first


NEWER_COLUMNS = {  # than revision 0033
    "samples": {"system", "own"},
    "datasets": {"benchmark"},
    "items": {"withdrawn_at", "chance"},
    "participations": {"gold_lifted"},
    "exclusions": {"failed_gold"},
    "visits": {"check_passed_at", "check_failed_at"},
    "study_quality": {"stop_after_gold"},
    "study_courses": {"currency", "hourly_rate", "reward", "contact", "new_raters"},
}


def test_a_bundle_of_an_earlier_revision_is_brought_up_to_date(bundle: Path) -> None:
    earlier = "0033"  # before captioners

    def older(files: dict[str, bytes]) -> None:
        for table, newer in NEWER_COLUMNS.items():
            name = f"tables/{table}.jsonl"
            rows = [json.loads(line) for line in files[name].splitlines()]
            lines = [json.dumps({name: one[name] for name in one if name not in newer}) for one in rows]
            files[name] = "".join(f"{line}\n" for line in lines).encode()
        files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | {"revision": earlier}).encode()

    with opened_bundle(bundle) as (_, now), opened_bundle(sealed(bundle, older)) as (theirs, before):
        assert before == now
        with theirs.repository.database.read() as connection:
            assert MigrationContext.configure(connection).get_current_revision() == revisions()[-1]


def test_a_bundle_that_is_stopped_leaves_nothing(workplace: Workplace, bundle: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(what: str, done: int, total: int) -> None:
        if what == "Taking in scores":
            raise Stopped

    with pytest.raises(Stopped), reporting(stop):
        import_bundle(workplace, bundle)
    with workplace.repository.database.read() as connection:
        filled = [
            table.name for table in tables.Table.metadata.sorted_tables if connection.execute(select(table)).first()
        ]
    assert set(filled) <= {"epochs", "dataset_counts", "audit"}
