"""Bringing data by the page: the same data as by the command, for one's own account only, whole or not at all."""

import csv
import io
import itertools
import json
import shlex
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from storage.types import Search
from tests.command_line import command_line
from tests.making import make_study, picture, rating
from tests.ui.conftest import client_of
from tests.wait_until import wait_until
from ui.services.importing.received_files import MOST_FILES
from ui.services.importing.uploading import INCOMING, Bringing
from ui.services.scoring.judging import Judge
from ui.services.workplace import PICTURES, THUMBNAILS, Workplace, open_workplace
from ui.setting_values import PublicUrl
from ui.settings import Settings

PUBLIC = Settings(public_url=PublicUrl("https", "127.0.0.1"), warm=False)


class Bringer:
    """A browser that brings files, and waits for its imports without looking at a clock."""

    def __init__(self, browser: TestClient, bringing: Bringing) -> None:
        self.browser, self.bringing = browser, bringing
        self.key = self.ask("POST", "/api/imports")["id"]

    def ask(self, method: str, path: str, **options: Any) -> Any:
        answer = self.browser.request(method, path, **options)
        assert answer.is_success, answer.text
        return answer.json()

    def send(self, name: str, content: bytes, offset: int = 0) -> str:
        path = f"/api/imports/{self.key}/files"
        called: str = self.ask("PUT", path, params={"name": name, "offset": offset}, content=content)["name"]
        return called

    def look(self, **body: Any) -> Any:
        return self.ask("POST", f"/api/imports/{self.key}/look", json=body)

    def start(self, **body: Any) -> Any:
        return self.ask("POST", f"/api/imports/{self.key}/start", json=body)

    def take(self, **body: Any) -> Any:
        """Import and wait for the end; returns how it ended."""
        self.start(**body)
        return self.ended()

    def ended(self) -> Any:
        self.bringing._working.submit(int).result()  # one import at a time: what began before has ended
        return self.ask("GET", f"/api/imports/{self.key}")


@pytest.fixture
def bringing(workplace: Workplace, tmp_path: Path, quick_imports: None) -> Iterator[Bringing]:
    folder = tmp_path / "photos"
    folder.mkdir()
    made = Bringing(workplace, None, (folder,))
    yield made
    made.close()


@pytest.fixture
def asking(workplace: Workplace, bringing: Bringing, api_of: Callable[..., Any]) -> TestClient:
    return client_of(api_of(workplace, Judge(workplace), bringing=bringing))


@pytest.fixture
def bringer(asking: TestClient, bringing: Bringing) -> Bringer:
    return Bringer(asking, bringing)


def zipped(*names: str, more: dict[str, bytes] | None = None) -> bytes:
    """Return a ZIP file of pictures, each of another colour."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for number, name in enumerate(names, 1):
            content = io.BytesIO()
            Image.new("RGB", (30, 20), (number % 256, 9, 9)).save(content, "PNG")
            archive.writestr(name, content.getvalue())
        for name, other in (more or {}).items():
            archive.writestr(name, other)
    return held.getvalue()


def held(workplace: Workplace, dataset: str) -> list[Any]:
    """Return all that a data set holds, but not where its pictures lie."""
    samples = workplace.repository.samples
    found = samples.many(samples.ids(Search(dataset)))
    return sorted(
        (one.sample.key, one.sample.image.name, one.sample.image.sha256, one.sample.candidate, one.sample.references)
        + (one.sample.human, one.sample.judgements, one.sample.system or "", repr(one.outcomes))
        for one in found
    )


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


SCALES = {"0 to 1": ("0.75", "0.5"), "1 to 5": ("4", "50"), "0 to 100": ("75", "-0.5")}


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize("scale", SCALES)
def test_a_newcomers_table_gives_the_same_data_by_page_and_by_the_command_that_the_page_names(
    bringer: Bringer,
    workplace: Workplace,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    scale: str,
) -> None:
    human, score = SCALES[scale]
    rows = [
        ("image", "caption", "score", "human"),
        ("a.png", "A dog.", score, human),
        ("b.png", "A cat.", score, human),
    ]
    text = "".join(mark.join(row) + "\n" for row in rows)
    table, photos = bringer.send("mine.csv", text.encode()), bringer.send("photos.zip", zipped("a.png", "b.png"))
    look = bringer.look(files=[table], zips=[photos], dataset="mine")
    guess = {name: look["guess"][name] for name in ("columns", "human_scale", "score_scale")}
    assert bool(look["notes"]) == (scale != "0 to 1")  # the page states guessed scales
    told = bringer.take(files=[table], zips=[photos], format=look["format"], dataset="mine", **guess)
    assert (told["state"], told["result"]["samples_added"], told["result"]["images_found"]) == ("done", 2, 2), told

    folder = tmp_path / "by hand"
    folder.mkdir()
    (folder / "mine.csv").write_text(text)
    (folder / "photos.zip").write_bytes(zipped("a.png", "b.png"))
    monkeypatch.chdir(folder)
    python, app, *arguments = shlex.split(look["command"])
    assert (python, app) == ("python", "app.py")
    ran = command_line(tmp_path / "other", capsys)(*arguments)
    assert ran.code == 0, ran.err
    other = open_workplace(Settings(data_dir=tmp_path / "other"))
    assert held(workplace, "mine") == held(other, "mine") and len(held(other, "mine")) == 2
    other.repository.close()


def test_the_page_names_the_captioner_of_a_file_and_the_command_does_too(
    bringer: Bringer, workplace: Workplace
) -> None:
    name = bringer.send("results.json", json.dumps([{"image_id": 1, "caption": "A dog."}]).encode())
    asked = {"files": [name], "format": "coco-results", "dataset": "theirs", "system": "vinvl <b>"}
    look = bringer.look(**asked)
    assert look["records"][0]["system"] == "vinvl <b>"
    assert look["command"].endswith("--system 'vinvl <b>'")
    battle = {"img": "1", "source1": "a", "source2": "b", "caption1": "A", "caption2": "B", "winner": "a"}
    name = bringer.send("arena.json", json.dumps([battle]).encode())
    look = bringer.look(files=[name], format="caparena", system="vinvl")  # of the format that was chosen before
    assert [one["system"] for one in look["records"]] == ["a", "b"]
    bringer.take(**asked)
    assert workplace.repository.analysis.captioner_names("theirs") == ("vinvl <b>",)


def test_what_is_not_imported_leaves_nothing_behind(bringer: Bringer, workplace: Workplace) -> None:
    table = bringer.send("mine.csv", b"image,caption,human\na.png,A dog.,0.5\nb.png,A cat.,many\n")
    photos = bringer.send("photos.zip", zipped("a.png", "b.png"))
    told = bringer.take(files=[table], zips=[photos], format="csv")
    assert (told["state"], told["kind"], told["refused"]) == ("failed", "rows", 1)
    assert told["first_refused"] == [
        ["mine.csv", "3", "human", "expected a number with a decimal point, such as 0.5, found 'many'"]
    ]
    assert not workplace.repository.samples.has_any()
    assert files_of(workplace.data_dir / PICTURES) == files_of(workplace.data_dir / THUMBNAILS) == []
    told = bringer.take(files=[table], zips=[photos], format="csv", skip_bad=True)
    assert (told["state"], told["result"]["samples"], told["result"]["skipped"]) == ("done", 1, 1)
    assert len(files_of(workplace.data_dir / PICTURES)) == len(files_of(workplace.data_dir / THUMBNAILS)) == 1
    assert [path.name for path in files_of(workplace.data_dir / INCOMING)] == [".refused.csv"]
    bringer.browser.delete(f"/api/imports/{bringer.key}")
    assert files_of(workplace.data_dir / INCOMING) == []


def test_the_page_keeps_columns_of_ones_own_and_names_the_option(bringer: Bringer, workplace: Workplace) -> None:
    table = bringer.send("mine.csv", b"image,caption,my split\na.png,A dog.,test\nb.png,A cat.,train\n")
    look = bringer.look(files=[table], format="csv", keep=["my split"], columns={"image": "image"})
    assert look["command"].endswith("--keep 'my split'")
    bringer.take(files=[table], format="csv", dataset="mine", keep=["my split"])
    assert workplace.repository.analysis.own_columns("mine") == {"my split": ("test", "train")}


def test_rows_with_the_same_error_are_one_line_of_the_page_and_the_file_has_all(bringer: Bringer) -> None:
    rows = "".join(f"{n}.png,A dog.,many\n" for n in range(120)) + "b.png,,0.5\n"
    table = bringer.send("mine.csv", f"image,caption,human\n{rows}".encode())
    told = bringer.take(files=[table], format="csv")
    assert (told["problem"], told["refused"]) == ("Nothing was imported, because 121 rows have errors.", 121)
    reason = "expected a number with a decimal point, such as 0.5, found 'many'"
    assert told["first_refused"] == [
        ["mine.csv", "2, 3, 4, 5, 6 and 115 more", "human", reason],
        ["mine.csv", "122", "caption", "expected text that is not blank, found nothing"],
    ]
    content = bringer.browser.get(f"/api/imports/{bringer.key}/refused.csv").content.decode("utf-8-sig")
    assert len(list(csv.reader(io.StringIO(content)))) == 1 + 121


def test_no_cell_of_the_refused_rows_is_a_formula(bringer: Bringer) -> None:
    table = bringer.send("mine.csv", b'image,caption,human\n"=cmd()",A dog.,"=1+1"\n')
    bringer.take(files=[table], format="csv")
    answer = bringer.browser.get(f"/api/imports/{bringer.key}/refused.csv")
    assert 'filename="refused.csv"' in answer.headers["content-disposition"]
    lines = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert lines[0] == ["file", "row", "field", "reason"] and len(lines) == 2
    bringer.browser.delete(f"/api/imports/{bringer.key}")
    bringer = Bringer(bringer.browser, bringer.bringing)
    bringer.send("mine.csv", b"id,image,caption,score:=HYPERLINK,component:=HYPERLINK:x\n1,a.png,A dog.,,1\n")
    bringer.take(files=["mine.csv"], format="csv")
    content = bringer.browser.get(f"/api/imports/{bringer.key}/refused.csv").content.decode("utf-8-sig")
    cells = [cell for line in csv.reader(io.StringIO(content)) for cell in line]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_names_are_no_paths_and_parts_follow_each_other(bringer: Bringer, workplace: Workplace) -> None:
    called = bringer.send("../../../secret.key", b"x")
    assert called == "secret.key"
    (found,) = files_of(workplace.data_dir / INCOMING)
    assert found.name == "secret.key" and found.parent.parent == workplace.data_dir / INCOMING
    assert bringer.send("secret.key", b"yz", offset=1) == "secret.key" and found.read_bytes() == b"xyz"
    bringer.send("secret.key", b"yz", offset=1)  # the answer was lost, and the part comes again
    assert found.read_bytes() == b"xyz"
    path = f"/api/imports/{bringer.key}/files"
    answer = bringer.browser.put(path, params={"name": "secret.key", "offset": 9}, content=b"z")
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "secret.key: a part of the upload is missing. Choose the file again.",
    )
    for body in ({"files": ["../secret.key"]}, {"files": ["other.csv"]}, {"files": []}, {"files": [".."]}):
        assert bringer.browser.post(f"/api/imports/{bringer.key}/look", json=body).status_code == 400
    too_large = bringer.browser.put(path, params={"name": "a.csv", "offset": 0}, content=b"x" * 4_000_001)
    assert (too_large.status_code, too_large.json()["kind"]) == (413, "too_large")
    for number in range(MOST_FILES - 1):
        bringer.send(f"{number}.csv", b"x")
    assert bringer.browser.put(path, params={"name": "one more.csv", "offset": 0}, content=b"x").status_code == 400


def test_an_import_is_known_to_the_account_that_began_it_alone(birds: Workplace, api_of: Callable[..., Any]) -> None:
    from tests.ui.web.test_access import House

    made = Bringing(birds, None)
    study = make_study(birds)
    house = House(birds, api_of(birds, Judge(birds), PUBLIC, bringing=made), (study, study), ("", ""))
    mine, theirs = house.account("researcher", "ann"), house.account("admin", "bob")
    key = mine.post("/api/imports").json()["id"]
    assert mine.get(f"/api/imports/{key}").json()["state"] == "receiving"
    body = {"files": ["a.csv"], "format": "csv"}
    for method, rest, more in (
        ("GET", "", {}),
        ("DELETE", "", {}),
        ("GET", "/refused.csv", {}),
        ("PUT", "/files?name=a.csv&offset=0", {"content": b"x"}),
        ("DELETE", "/files?name=a.csv", {}),
        ("POST", "/look", {"json": body}),
        ("POST", "/start", {"json": body}),
        ("POST", "/cancel", {}),
    ):
        answer = theirs.request(method, f"/api/imports/{key}{rest}", **more)
        assert (answer.status_code, answer.json()["kind"]) == (404, "not_found"), (method, rest)
    assert mine.put(
        f"/api/imports/{key}/files?name=a.csv&offset=0", content=b"image,caption\na.png,A dog.\n"
    ).is_success
    assert mine.post(f"/api/imports/{key}/start", json=body).status_code == 202
    made._working.submit(int).result()
    assert mine.get(f"/api/imports/{key}").json()["state"] == "done"
    entries = [(one.actor, one.deed, one.object) for one in birds.repository.audit.all()]
    assert ("ann", "data imported", "data set a, csv") in entries
    made.close()


def test_pictures_of_a_folder_are_named_by_its_number_and_links_out_of_it_are_refused(
    bringer: Bringer, bringing: Bringing, workplace: Workplace, tmp_path: Path
) -> None:
    (folder,) = bringing.folders
    picture(folder / "a.png")
    private = picture(tmp_path / "private" / "me.png")
    (folder / "b.png").symlink_to(private)
    options = bringer.ask("GET", "/api/imports/options")
    assert options["folders"] == [{"id": 1, "name": "photos"}]
    bringer.send(
        "mine.csv", b"image,caption\na.png,A dog.\nb.png,A cat.\n../../private/me.png,Me.\n/etc/hosts,A list.\n"
    )
    path = f"/api/imports/{bringer.key}/start"
    body = {"files": ["mine.csv"], "format": "csv"}
    for wrong in ({"folders": [2]}, {"zips": [str(tmp_path / "private")]}, {"zips": [".."]}, {"zips": ["/etc"]}):
        assert bringer.browser.post(path, json=body | wrong).status_code == 400, wrong
    told = bringer.take(**body, folders=[1], skip_bad=True)
    assert (told["result"]["images_found"], told["result"]["samples"]) == (1, 3)
    reasons = {line[0] or line[3].partition(":")[0]: line[3] for line in told["first_refused"]}
    assert reasons["b.png"] == "b.png: a link leads out of the folder; put the picture file itself into the folder"
    assert reasons["me.png"] == "the picture was not found"
    assert str(tmp_path) not in str(told)
    assert not [image for image in workplace.repository.samples.pictures("mine").values() if image.path == private]


def test_without_a_setting_no_folder_of_the_server_is_offered(birds: Workplace, api_of: Callable[..., Any]) -> None:
    browser = client_of(api_of(birds, Judge(birds)))
    assert browser.get("/api/imports/options").json()["folders"] == []


def test_one_import_runs_at_a_time_and_one_that_waits_can_be_cancelled(
    asking: TestClient, bringing: Bringing, workplace: Workplace
) -> None:
    rows = [f"{n}.png,A dog {n}.\n" for n in range(5_000)]
    first, second, third = (Bringer(asking, bringing) for _ in range(3))
    for one, name, count in ((first, "one.csv", 5_000), (second, "two.csv", 5_000), (third, "three.csv", 10)):
        one.send(name, f"image,caption\n{''.join(rows[:count])}".encode())
    first.start(files=["one.csv"], format="csv")
    second.start(files=["two.csv"], format="csv")
    third.start(files=["three.csv"], format="csv")
    assert second.ask("POST", f"/api/imports/{second.key}/cancel")["state"] == "cancelled"
    assert third.ask("GET", f"/api/imports/{third.key}")["state"] == "waiting"
    assert first.ended()["state"] == third.ended()["state"] == "done"
    assert second.ended()["state"] == "cancelled"
    names = [one.name for one in workplace.repository.samples.datasets()]
    assert sorted(names) == ["one", "three"]


def test_answers_are_saved_while_an_import_runs(
    birds: Workplace, api_of: Callable[..., Any], quick_imports: None
) -> None:
    made = Bringing(birds, None)
    study = make_study(birds)
    bringer = Bringer(client_of(api_of(birds, Judge(birds), bringing=made)), made)
    many = "".join(f"{n}.png,A dog {n}.\n" for n in range(8_000))
    bringer.send("mine.csv", f"image,caption\n{many}".encode())
    bringer.start(files=["mine.csv"], format="csv")
    rater = birds.repository.raters.add("K7")
    (item,) = birds.repository.desk.queue(study.id, rater, 1, 1).items
    points = itertools.cycle((1, 2, 3, 4))

    def is_done_after_a_save() -> bool:
        running = bringer.ask("GET", f"/api/imports/{bringer.key}")["state"] != "done"
        if running:
            assert birds.repository.save(rater, [rating(item, point=next(points))]) == (None,)
        return not running

    assert not is_done_after_a_save()
    wait_until(is_done_after_a_save, "the import to end", longest_pause_s=0.02)
    assert bringer.ended()["result"]["samples_added"] == 8_000
    made.close()


def test_a_column_with_a_metrics_name_is_guessed_and_messages_name_fields_of_the_page(bringer: Bringer) -> None:
    bringer.send("own.csv", b"file,text,CIDEr,source\na.png,A dog.,0.5,web\nb.png,A cat.,7,web\n")
    looked = bringer.look(files=["own.csv"], dataset="own")
    assert looked["guess"]["columns"]["score"] == "CIDEr"
    assert [one["metric"] for one in looked["records"][0]["scores"]] == ["CIDEr"]
    assert "change “Scale of scores”" in looked["problems"][0] and "--" not in looked["problems"][0]
    ended = bringer.take(
        files=["own.csv"], dataset="own", columns=looked["guess"]["columns"], format="csv", skip_bad=True
    )
    words = "To keep a column for slices, choose it under “Columns to keep” before you import."
    said = f"own.csv: columns that were not read: source. {words}"
    assert ended["result"]["notes"] == ["2 rows were read.", said]
    assert "--" not in ended["first_refused"][0][3]


def test_two_wrong_cells_of_a_row_are_one_row_with_two_errors(bringer: Bringer) -> None:
    bringer.send("own.csv", b"image,caption,score\na.png,,x\nb.png,A cat.,0.5\n")
    asked = {"files": ["own.csv"], "dataset": "own", "format": "csv", "columns": {}}
    ended = bringer.take(**asked)
    assert ended["problem"] == "Nothing was imported, because 1 row has an error."
    assert [line[2] for line in ended["first_refused"]] == ["score", "caption"]
    assert bringer.take(**asked, skip_bad=True)["result"]["skipped"] == 1
