"""Files as people have them, imported by the command: each value is kept or refused, never lost in silence."""

import csv
import gzip
import json
import sqlite3
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.types import Score
from storage.data import staging
from storage.engine.temporary_database import temporary_database
from storage.types import Search, StoredSample
from tests.command_line import Run
from tests.making import picture
from ui.services.workplace import open_workplace
from ui.settings import Settings


def stored(tmp_path: Path, dataset: str) -> list[StoredSample]:
    opened = open_workplace(Settings(data_dir=tmp_path / "data"))
    samples = opened.repository.samples
    found = [samples.get(one) for one in samples.ids(Search(dataset))]
    opened.repository.close()
    return found


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def text(path: Path, content: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(content.encode(encoding))
    return path


LONG = "image,caption,rater,human\na.jpg,A dog.,r1,1\na.jpg,A dog.,r2,4\na.jpg,A dog.,r3,4\nb.jpg,A cat.,r1,2\n"


@pytest.mark.parametrize("shape", ["rater", "no rater", "tabs in UTF-16", "packed", "ids", "two files"])
def test_one_row_per_judge_becomes_one_caption_with_all_judgements(run: Run, tmp_path: Path, shape: str) -> None:
    rows = [line.split(",") for line in LONG.splitlines()]
    if shape == "no rater":
        rows = [[image, caption, human] for image, caption, _, human in rows]
    if shape == "ids":
        systems = ("system", "", "", "vinvl", "")  # stated by a later row of the same caption only
        rows = [["id" if row[0] == "image" else row[0], *row, name] for row, name in zip(rows, systems, strict=True)]
    content = "\n".join(("\t" if "tabs" in shape else ",").join(row) for row in rows)
    files = [text(tmp_path / "a.csv", content, "utf-16" if "tabs" in shape else "utf-8")]
    if shape == "packed":
        files = [tmp_path / "a.csv.gz"]
        files[0].write_bytes(gzip.compress(LONG.encode()))
    elif shape == "two files":
        head, *rest = LONG.splitlines(keepends=True)
        parts = ("a", head + rest[0] + rest[3]), ("b", head + "".join(rest[1:3]))
        files = [text(tmp_path / f"{name}.csv", part) for name, part in parts]
    ran = run("import", "csv", *files, "--human-scale", "1-4", "--dataset", "a")
    assert ran.code == 0, ran.err
    assert "4 rows were read." in ran.out
    assert "2 of them add to an earlier row" in ran.out
    found = {one.sample.candidate: one.sample for one in stored(tmp_path, "a")}
    assert found["A dog."].judgements == (1, 4, 4) and found["A dog."].human == pytest.approx(2 / 3)
    assert found["A cat."].judgements == (2,) and found["A cat."].human == pytest.approx(1 / 3)
    assert found["A dog."].system == ("vinvl" if shape == "ids" else None)


@pytest.mark.parametrize(
    ("second", "named"),
    [
        ({"references": ["Another."]}, "references"),
        ({"own": {"split": "test"}}, "own"),
        ({"rater": "r1", "human": 0.75}, "human"),
        ({"id": "1", "image": "b.jpg"}, "id"),
        ({"scores": [{"metric": "M", "value": 0.25}]}, "score of M"),
        ({"human": 0.75}, "human"),
    ],
)
def test_rows_that_contradict_each_other_are_refused_and_both_are_named(
    run: Run, tmp_path: Path, second: dict[str, Any], named: str
) -> None:
    first = {"image": "a.jpg", "caption": "A dog.", "human": 0.5, "references": ["One."], "own": {"split": "train"}}
    first |= {"rater": "r1"} if "rater" in second else {"judgements": [2]}
    first |= {"scores": [{"metric": "M", "value": 0.5}], **({"id": "1"} if "id" in second else {})}
    ran = run("import", "jsonl", lines(tmp_path / "a.jsonl", first, first | second))
    assert ran.code == 2 and f"row 2, field {named}" in ran.err and "row 1" in ran.err


def test_a_corrected_value_replaces_the_stored_one_by_choice_only(run: Run, tmp_path: Path) -> None:
    row: dict[str, Any] = {"id": "1", "image": "a.jpg", "caption": "A dog."}
    before = row | {"human": 0.5, "references": ["A dog."], "scores": [{"metric": "M", "value": 0.25}]}
    corrected = row | {"human": 0.75, "references": ["A cat."], "scores": [{"metric": "M", "value": 1.0}]}
    first = "import", "jsonl", lines(tmp_path / "first.jsonl", before), "--dataset", "d"
    second = "import", "jsonl", lines(tmp_path / "second.jsonl", corrected), "--dataset", "d"
    assert [run(*first).code, run(*first).code] == [0, 0]
    refused = run(*second)
    assert refused.code == 2 and "['A dog.']" in refused.err and "A cat." in refused.err
    assert [one.sample.human for one in stored(tmp_path, "d")] == [0.5]
    assert run(*second, "--replace").code == 0
    (one,) = stored(tmp_path, "d")
    assert (one.sample.human, one.sample.references) == (0.75, ("A cat.",))
    assert [outcome.value for outcome in one.outcomes if isinstance(outcome, Score)] == [1.0]


def instances(*paths: str, size: Any = (48, 64), identifier: Any = int) -> dict[str, Any]:
    images = [
        {"id": identifier(number), "file_name": path, "height": size[0], "width": size[1]}
        for number, path in enumerate(paths, start=1)
    ]
    annotations = [
        {"id": number, "image_id": image["id"], "category_id": identifier(number), "segmentation": [[1, 1, 9, 1, 9, 9]]}
        for number, image in enumerate(images, start=1)
    ]
    categories = [{"id": identifier(number), "name": path.split("/")[-2]} for number, path in enumerate(paths, start=1)]
    return {"images": images, "annotations": annotations, "categories": categories}


@pytest.mark.parametrize("place", ["beside", "folder", "zip", "deeper folder"])
def test_equal_names_in_different_folders_are_different_pictures(run: Run, tmp_path: Path, place: str) -> None:
    names, photos = ("train/x/1.png", "val/x/1.png"), tmp_path / "photos" / ("deep" if "deep" in place else "")
    for name, colour in zip(names, ("red", "blue"), strict=True):
        picture(photos / name, colour)
    rows = [{"image": name, "caption": "The same caption.", "human": n} for n, name in enumerate(names)]
    file = lines((photos if place == "beside" else tmp_path) / "a.jsonl", *rows)
    regions = tmp_path / "regions.json"
    regions.write_text(
        json.dumps(
            instances("train/1.png", "val/1.png")
            | {
                "images": [
                    {"id": n, "file_name": name, "height": 48, "width": 64} for n, name in enumerate(names, start=1)
                ]
            }
        )
    )
    options: list[object] = [] if place == "beside" else ["--images", tmp_path / "photos"]
    if place == "zip":
        options[1] = tmp_path / "photos.zip"
        with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
            for name in names:
                archive.write(photos / name, name)
    ran = run("import", "jsonl", file, *options)
    assert ran.code == 0 and "pictures: 2 found" in ran.out, (ran.out, ran.err)
    assert run("annotate", "a", regions).code == 0
    one, two = sorted((sample.sample for sample in stored(tmp_path, "a")), key=lambda sample: sample.human or 0)
    assert [one.image.name, two.image.name] == list(names) and one.image.sha256 != two.image.sha256
    assert [region.label for region in (*one.image.regions, *two.image.regions)] == ["train", "val"]
    ran = run("import", "jsonl", lines(tmp_path / "b.jsonl", {"image": "1.png", "caption": "A."}), "--images", photos)
    assert ran.code == 2 and "names several pictures: train/x/1.png and val/x/1.png" in ran.err


def test_a_results_file_finds_its_references_in_both_orders(run: Run, tmp_path: Path) -> None:
    images = [{"id": 1, "file_name": "000000000001.jpg"}, {"id": "b7", "file_name": "train/dog.jpg"}]
    annotations = [{"id": n, "image_id": (1, "b7")[n % 2], "caption": f"A dog runs {n}."} for n in range(4)]
    captions = text(tmp_path / "captions.json", json.dumps({"images": images, "annotations": annotations}))
    results = [{"image_id": 1.0, "caption": "A dog runs."}, {"image_id": "b7", "caption": "A dog."}]
    early = text(tmp_path / "early.json", json.dumps(results))
    late = text(tmp_path / "late.json", json.dumps(results))
    for fmt, file in (("coco-results", early), ("coco-captions", captions), ("coco-results", late)):
        ran = run("import", fmt, file)
        assert ran.code == 0, ran.err
    assert "2 captions of COCO results got their pictures' references." in ran.out
    for dataset in ("early", "late"):
        assert [len(one.sample.references) for one in stored(tmp_path, dataset)] == [2, 2]
        assert "2 scored, 0 errors" in run("score", "BLEU-1", "--dataset", dataset).out


TABLE = [["image", "caption", "a|b;c"], ["a.jpg", "A dog, a cat; two | three", "x"], ["b.jpg", "Line\ntwo", "y"]]


@pytest.mark.parametrize(
    ("mark", "first"), [*((mark, "") for mark in (",", ";", "\t", "|")), (";", "sep="), ("^", "sep=")]
)
def test_the_separator_is_found_or_stated(run: Run, tmp_path: Path, mark: str, first: str) -> None:
    def cell(value: str) -> str:
        return f'"{value}"' if mark in value or "\n" in value else value

    content = "\r\n".join(mark.join(map(cell, row)) for row in TABLE)
    file = text(tmp_path / "a.csv", f"{first}{mark}\r\n{content}" if first else content, "utf-8-sig")
    ran = run("import", "csv", file, "--keep", "a|b;c")
    assert ran.code == 0, ran.err
    found = [(one.sample.candidate, one.sample.own) for one in stored(tmp_path, "a")]
    assert found == [(row[1], (("a|b;c", row[2]),)) for row in TABLE[1:]]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_paths_of_windows_and_names_of_macos_are_found(run: Run, tmp_path: Path, form: Any) -> None:
    picture(tmp_path / "f" / unicodedata.normalize("NFD", "hündchen.png"))
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.write(tmp_path / "f" / unicodedata.normalize("NFD", "hündchen.png"), "h.png")
    content = (tmp_path / "p.zip").read_bytes().replace(b"h.png", unicodedata.normalize("NFD", "ü").encode() + b".p")
    (tmp_path / "p.zip").write_bytes(content.replace(b".p", b"ng", 0))
    name = unicodedata.normalize(form, "f\\hündchen.png")
    file = lines(tmp_path / "a.jsonl", {"image": name, "caption": "A dog."})
    regions = tmp_path / "r.json"
    regions.write_text(
        json.dumps(instances("x\\f\\hündchen.png".replace("\\", "/"), size=(48.0, 64.0), identifier=str))
    )
    ran = run("import", "jsonl", file)
    assert "pictures: 1 found" in ran.out, (ran.out, ran.err)
    assert "added 1 region" in run("annotate", "a", regions).out
    assert stored(tmp_path, "a")[0].sample.image.name == "f/hündchen.png"
    assert "pictures: 1 found" in run("import", "jsonl", file, "--dataset", "b", "--images", tmp_path / "f").out


@pytest.mark.parametrize("form", ["json", "python", "columns", "guessed columns", "text"])
def test_references_come_in_every_usual_form(run: Run, tmp_path: Path, form: str) -> None:
    cells = {"json": '"[""A b."", ""C d.""]"', "python": "\"['A b.', 'C d.']\"", "text": "A b.|C d."}.get(
        form, "A b.,C d."
    )
    head = {"columns": "first,second", "guessed columns": "ref_1,ref_2"}.get(form, "references")
    options = ["--column", "references=first", "--column", "references=second"] if form == "columns" else []
    file = text(tmp_path / "a.csv", f"image,caption,other,{head}\na.jpg,A dog.,x,{cells}\n")
    ran = run("import", "csv", file, *options)
    assert ran.code == 0 and "columns that were not read: other." in ran.out, ran.err
    assert stored(tmp_path, "a")[0].sample.references == ("A b.", "C d.")
    assert "given twice" in run("import", "csv", file, "--column", "image=a", "--column", "image=b").err


def test_a_long_cell_is_read_and_many_columns_and_a_nul_character_are_refused(run: Run, tmp_path: Path) -> None:
    file = text(tmp_path / "a.csv", f"image,caption,note\na.jpg,A dog.,{'x' * 200_000}\n")
    assert run("import", "csv", file).code == 0
    csv.field_size_limit(131_072)  # as in a new process
    wide = ",".join(f"column{n}" for n in range(20_000))
    ran = run("import", "csv", text(tmp_path / "b.csv", f"image,caption,{wide}\n"))
    assert ran.code == 2 and "20,002 columns; the limit is 1,000" in ran.err
    ran = run("import", "jsonl", lines(tmp_path / "d.jsonl", {"image": "a.jpg", "caption": "A\0dog."}))
    assert ran.code == 2 and "without NUL characters" in ran.err


def test_options_of_all_commands_stand_before_or_after_the_command(run: Run, tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", {"image": "a.jpg", "caption": "A dog."})
    assert run("--data-dir", tmp_path / "other", "import", "jsonl", file).code == 0
    assert run("score", "BLEU-1", "--dataset", "a", "--data-dir", tmp_path / "other").code == 0
    assert run("--data-dir", tmp_path / "other", "score", "BLEU-1", "--dataset", "a").code == 0
    assert run("score", "BLEU-1", "--dataset", "a").code == 2
    ran = run("get", "thumb", CAPSCOPE_MIRROR="https://mirror.example/raw\nx")
    assert ran.code == 2 and ran.err.startswith("Error: CAPSCOPE_MIRROR must be an address")


def test_a_full_disk_is_one_sentence_and_stores_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = lines(tmp_path / "a.jsonl", *({"image": f"{n}.jpg", "caption": "A dog. " * 20} for n in range(400)))

    def full(folder: Path | None) -> sqlite3.Connection:
        opened = temporary_database(folder)
        opened.execute("PRAGMA max_page_count=20")
        return opened

    with monkeypatch.context() as disk:
        disk.setattr(staging, "temporary_database", full)
        ran = run("import", "jsonl", file)
    assert ran.code == 2 and len(ran.err.splitlines()) == 1 and "disk" in ran.err and "is full" in ran.err, ran.err
    assert "400 of these samples" in run("import", "jsonl", file).out


@pytest.mark.parametrize("options", [[], ["--human-scale", "1-5"]])
def test_captions_that_have_only_single_judgements_count_with_their_mean(
    run: Run, tmp_path: Path, options: list[str]
) -> None:
    scale = 4 if options else 1  # a judgement j of a scale from 1 to 5 is (j - 1) / 4
    rows: list[dict[str, Any]] = []
    for n in range(6):
        mean = n / 5 * scale + (1 if options else 0)
        human = {"human": mean} if n % 2 else {"judgements": [mean, mean]}
        rows.append({"image": f"{n}.jpg", "caption": "A dog.", "scores": [{"metric": "M", "value": n / 5}]} | human)
    assert run("import", "jsonl", lines(tmp_path / "a.jsonl", *rows), *options, "--dataset", "a").code == 0
    assert [one.sample.human for one in stored(tmp_path, "a")] == pytest.approx([n / 5 for n in range(6)])
    (table,) = run("correlate", "--dataset", "a", "--metric", "M", "--json").json["tables"]
    assert (table["rows"][0]["captions"], table["rows"][0]["tau_b"]) == (6, pytest.approx(100))
