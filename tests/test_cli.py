"""The command line, as a user types it: what it prints, where, and with which exit code."""

import csv
import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import app
from core.datasets import FORMATS
from core.studies.asking.form_file import form_named
from storage.types import Search
from tests.command_line import Ran, Run, quietly
from tests.making import answer_all, draw_pictures, rows, write_rows
from ui.commands import COMMANDS
from ui.services.workplace import open_workplace
from ui.settings import Settings

ROOT = Path(app.__file__).parent
HEAVY = ("torch", "torchvision", "transformers", "ultralytics", "spacy", "peft", "timm", "sentence_transformers")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def birds_file(tmp_path: Path) -> Path:
    """Six samples of three metrics with five of their pictures."""
    samples = rows(6)
    draw_pictures(tmp_path, samples[:5])
    return write_rows(tmp_path, samples)


@pytest.fixture(scope="session")
def rated_folder(empty_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a study of two metrics that K7 and K8 have rated; to be copied."""
    folder = tmp_path_factory.mktemp("rated")
    shutil.copytree(empty_folder, folder / "data")
    samples = rows(6)
    draw_pictures(folder, samples[:5])
    quietly(folder / "data", "import", "jsonl", write_rows(folder, samples))
    quietly(folder / "data", "study", "create", "pilot", "--dataset", "birds", "--metrics", "ZorkScore,BlimpCap")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    study = workplace.repository.studies.named("pilot")
    for code, point in (("K7", 2), ("K8", 4)):
        answer_all(workplace.repository, study, workplace.repository.raters.add(code), point)
    workplace.repository.close()
    return folder / "data"


@pytest.fixture
def rated(run: Run, rated_folder: Path, data_dir: Path) -> Run:
    """A study of two metrics that K7 and K8 have rated."""
    shutil.copytree(rated_folder, data_dir)
    return run


def assert_refused(ran: Ran, *words: str) -> None:
    """A mistake is exit code 2 and one line on standard error that says what to do."""
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("Error: ") and ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.err


# -- formats, import


def test_formats_lists_every_format_with_a_summary(run: Run) -> None:
    lines = run("formats").out.splitlines()
    assert [line.split()[0] for line in lines] == [known.name for known in FORMATS]
    assert all(len(line.split()) > 2 for line in lines)
    wanted = {"polaris-exp", "nebula-exp", "flickr8k-expert", "fleur-results", "expert-results", "jsonl", "csv"}
    assert wanted <= {known.name for known in FORMATS}


def test_import_prints_json_and_nothing_else(run: Run, birds_file: Path) -> None:
    ran = run("import", "jsonl", birds_file, "--json")
    assert ran.json == {
        "dataset": "birds",
        "samples": 6,
        "scores": 18,
        "samples_added": 6,
        "scores_added": 18,
        "images_found": 5,
        "images_missing": 1,
        "skipped": [],
        "notes": ["6 rows were read."],
    }
    again = run("import", "jsonl", birds_file, "--json").json
    assert (again["samples"], again["samples_added"], again["scores_added"]) == (6, 0, 0)


def test_a_table_of_ones_own_gets_in_by_the_options_that_its_refusals_name(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("img;text;score;human\na.jpg;A dog.;71,5;4\nb.jpg;A cat.;12;2\n")
    refused = run("import", "csv", table)
    columns, scales = ["--column", "image=img", "--column", "caption=text"], ["--human-scale", "1-5"]
    assert refused.code == 2 and " ".join(columns) in refused.err
    refused = run("import", "csv", table, *columns)
    assert refused.code == 2 and "--human-scale LOW-HIGH), found '4', '2'" in refused.err
    assert "--score-scale LOW-HIGH), found '71,5', '12'" in refused.err
    options = [*columns, *scales, "--score-scale", "0-100"]
    taken = run("import", "csv", table, *options, "--metric", "BLEURT", "--json").json
    assert (taken["samples_added"], taken["scores_added"]) == (2, 2)
    for wrong in (["--human-scale", "5-1"], ["--human-scale", "likert"], ["--column", "title=text"]):
        assert run("import", "csv", table, *wrong).code == 2


def test_columns_of_ones_own_are_kept_on_request(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("image,caption,split\na.jpg,A dog.,test\nb.jpg,A cat.,train\n")
    assert "columns that were not read: split. To keep a column" in run("import", "csv", table, "--dataset", "d").out
    taken = run("import", "csv", table, "--keep", "split")
    assert taken.code == 0 and "not read" not in taken.out
    run("share", "mine", "--to", tmp_path / "out", "--as", "jsonl")
    lines = (tmp_path / "out" / "samples.jsonl").read_text().splitlines()
    assert [json.loads(line)["own"] for line in lines] == [{"split": "test"}, {"split": "train"}]
    assert "no column 'fold'" in run("import", "csv", table, "--keep", "fold").err


def test_pictures_are_looked_for_in_the_folders_given_and_the_first_match_wins(
    run: Run, tmp_path: Path, data_dir: Path
) -> None:
    samples = rows(2)
    path = write_rows(tmp_path / "files", samples)
    draw_pictures(tmp_path / "one" / "deep", samples[:1])
    draw_pictures(tmp_path / "two", samples[::-1])
    ran = run("import", "jsonl", path, "--images", tmp_path / "one", "--images", tmp_path / "two", "--json")
    assert (ran.json["images_found"], ran.json["images_missing"]) == (2, 0)
    workplace = open_workplace(Settings(data_dir=data_dir))
    found = workplace.repository.samples.search(Search(None, ""), 0, 5).samples
    assert [one.sample.image.path.parent.name for one in found] == ["deep", "two"]
    workplace.repository.close()


def test_the_scores_of_a_format_that_does_not_name_them_can_be_named(run: Run, tmp_path: Path) -> None:
    aspects = {"fluency": "Fluent.", "relevance": "Relevant.", "descriptiveness": "Plain."}
    entry = {"id": "v_1", "imgid": "a.jpg", "mt": "A dog.", "score": 0.5, "count": 2, "explanation": aspects}
    path = tmp_path / "explained.json"
    path.write_text(json.dumps([entry]), encoding="utf-8")
    assert run("import", "polaris-exp", path, "--metric", "People").code == 0
    assert "People" in run("study", "create", "s", "--dataset", "explained", "--metrics", "Nobody").err
    assert_refused(run("import", "nebula", path, "--metric", "People"), "contain the names of their metrics")


def test_bad_rows_are_told_together_and_skipped_on_request(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    bad = [f"{n}.jpg,A dog.,{'high' if n % 2 else 'low'}" for n in range(400)]
    blank = [f"b{n}.jpg,,0.5" for n in range(100)]
    table.write_text("\n".join(["image,caption,human", *bad, *blank, "c.jpg,A cow.,0.5,9", "d.jpg,A dog.,0.5"]))
    told = run("import", "csv", table).err
    assert [line.strip() for line in told.splitlines() if "mine.csv" in line] == [
        "mine.csv, 400 rows (2, 3, 4, 5, 6 and 395 more), field human: "
        "expected a number from 0 to 1, found 'low', 'high'",
        "mine.csv, 100 rows (402, 403, 404, 405, 406 and 95 more), field caption: "
        "expected text that is not blank, found nothing",
        "mine.csv, row 502, field row: expected 3 cells, found 4",
    ]
    assert "501 rows have errors, so nothing was imported" in told
    assert_refused(run("study", "create", "s", "--dataset", "mine"), "no data set 'mine'", "Import a data set first")
    words = run("import", "csv", table, "--skip-bad", "--dataset", "d").out
    assert "Skipped 501 bad rows:\n    mine.csv, 400 rows (2, 3," in words and "--json lists all" in words
    taken = run("import", "csv", table, "--skip-bad", "--json").json
    assert (taken["samples"], len(taken["skipped"])) == (1, 501)
    assert taken["skipped"][0] == {"row": 2, "reason": "human: expected a number from 0 to 1, found 'low'"}


# -- studies


def test_study_create_prints_json_and_repeats_with_its_seed(run: Run, birds_file: Path) -> None:
    run("import", "jsonl", birds_file)
    options = ("--dataset", "birds", "--strata", "score", "--size", "6", "--seed", "5", "--json")
    made = run("study", "create", "one", *options).json
    assert made == {
        "study": "one",
        "id": 1,
        **{"form": "expert-single", "sha256": form_named("expert-single").sha256},
        **{"captions": 6, "items": 18},
        "without_picture": 3,
        **{
            "seed": 5,
            "practice": 0,
            "raters_per_item": None,
            "items_per_rater": None,
            "veil": True,
            "overlay": False,
            "uniform": False,
        },
        "state": "running",
        "strata": {"[0, 0.33)": 2, "[0.33, 0.66)": 2, "[0.66, 1]": 2},
    }
    assert run("study", "create", "two", *options).json == made | {"study": "two", "id": 2}


def test_study_create_takes_every_option(run: Run, birds_file: Path, data_dir: Path) -> None:
    run("import", "jsonl", birds_file)
    options = "--form expert-side-by-side --metrics BlimpCap,ZorkScore --size 3 --set raters_per_item=2".split()
    options += ["--set", "veil=no", "--seed", "0"]
    ran = run("study", "create", "pairs", "--dataset", "birds", *options, "--json")
    assert (ran.json["form"], ran.json["items"], ran.json["strata"]) == ("expert-side-by-side", 3, {"all": 3})
    workplace = open_workplace(Settings(data_dir=data_dir))
    study = workplace.repository.studies.named("pairs")
    assert (study.design.veil, study.design.raters_per_item, study.panels) == (False, 2, 2)
    assert study.metrics == ("BlimpCap", "ZorkScore")
    workplace.repository.close()


def test_study_create_says_where_to_send_raters(run: Run, birds_file: Path) -> None:
    run("import", "jsonl", birds_file)
    out = run("study", "create", "one", "--dataset", "birds", "--seed", "3").out
    assert out == (
        "Made the study one: 6 captions × 3 metrics = 18 items of birds, "
        "form expert-single, captions by group (all: 6), seed 3.\n"
        "Each rater gets 18 items, about 10 minutes.\n"
        "The pictures of 3 of 18 items are missing.\n"
        "Raters open /rate?study=1. On a public server, `study link` makes links for them.\n"
    )


def test_study_list_tells_the_progress_of_raters(rated: Run) -> None:
    lines = rated("study", "list").out.splitlines()
    assert lines[0] == (
        "pilot: 6 captions × 2 metrics = 12 items of birds, form expert-single, captions by group (all: 6); running"
    )
    assert lines[1:] == ["  K7: 12 of 12", "  K8: 12 of 12"]
    (listed,) = rated("study", "list", "--json").json
    assert listed["raters"] == [{"rater": code, "done": 12, "skipped": 0, "total": 12} for code in ("K7", "K8")]
    assert set(listed) == {
        *("sha256", "state"),
        "study",
        "id",
        "form",
        *("captions", "items"),
        "without_picture",
        *("seed", "practice", "raters_per_item", "items_per_rater", "veil", "overlay", "uniform"),
        "strata",
        "raters",
    }


# -- report, export


def test_report_prints_json_with_every_number(rated: Run) -> None:
    report = rated("report", "pilot", "--json").json
    assert set(report) == {"study", "overlay", "rows", "tests"}
    assert report["study"] == "pilot"
    assert {(row["metric"], row["criterion"]) for row in report["rows"]} == {
        (metric, criterion)
        for metric in ("ZorkScore", "BlimpCap")
        for criterion in ("consistency", "factuality", "informativeness")
    }
    for row in report["rows"]:
        assert set(row) == {
            "metric",
            "criterion",
            "n",
            "mean",
            "sd",
            "ci_low",
            "ci_high",
            "abstain_rate",
            "no_picture_rate",
        }
        assert (row["n"], row["mean"], row["abstain_rate"]) == (12, 3.0, 0.0)
        assert row["sd"] == pytest.approx((12 / 11) ** 0.5)  # six 2s and six 4s, ddof 1
        assert row["ci_low"] == row["ci_high"] == 3.0  # every item has one 2 and one 4
    assert len(report["tests"]) == 3


def test_a_report_before_anybody_has_rated_is_no_mistake(run: Run, birds_file: Path) -> None:
    run("import", "jsonl", birds_file)
    run("study", "create", "new", "--dataset", "birds")
    assert run("report", "new", "--json").json == {"study": "new", "overlay": False, "rows": [], "tests": []}
    assert "new: Nobody has rated yet" in run("report", "new").out


def test_a_report_in_words_is_a_table(rated: Run) -> None:
    out = rated("report", "pilot").out
    assert "Ratings" in out and "ZorkScore" in out and "Wilcoxon signed-rank" in out


def test_a_data_set_without_a_study_has_a_report(run: Run, birds_file: Path, tmp_path: Path) -> None:
    run("import", "jsonl", birds_file)
    target = tmp_path / "birds.html"
    assert run("report", "--dataset", "birds", "--to", target).out == f"Wrote the report of birds to {target}\n"
    text = target.read_text()
    assert "<h1>Report: birds</h1>" in text and "Largest errors of ZorkScore" in text
    assert_refused(run("report", "--dataset", "birds"), "Add --to FILE.html")
    assert_refused(run("report", "birds", "--dataset", "birds"), "report --dataset NAME --to FILE.html")
    assert_refused(run("report", "--dataset", "none", "--to", target), "no data set")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_export_writes_the_form_that_the_ending_names(rated: Run, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"ratings.{ending}"
    assert rated("export", "pilot", "--to", target).out == f"Wrote 72 ratings to {target}\n"
    if ending == "csv":
        with target.open(newline="", encoding="utf-8") as file:
            assert {row["rater"] for row in csv.DictReader(file)} == {"K7", "K8"}
    if ending == "jsonl":
        assert {json.loads(line)["rating"] for line in target.read_text().splitlines()} == {2, 4}
    if ending == "parquet":
        assert target.read_bytes()[:4] == b"PAR1"


# -- mistakes


NEW = "study create x --dataset birds"
MISTAKES = {
    "rate": "No such command 'rate'",
    "formats --wat": "No such option",
    "import": "Missing argument 'FORMAT'",
    "import jsnl a.jsonl": "Did you mean jsonl?",
    "import jsonl nowhere.jsonl": "nowhere.jsonl: there is no file",
    "import jsonl data": "it is a folder",
    "import jsonl birds.jsonl --images nowhere": "The folder nowhere does not exist",
    "import jsonl birds.jsonl --dataset ' '": "1 to 80 printable characters",
    f"score FLEUR --caption a --image {'x' * 5000}": "File name too long",
    "study create x --dataset fish": "no data set 'fish'. Data sets: birds",
    f"{NEW} --form up": "Forms: expert-single, ",
    f"{NEW} --set colour=red": "no option 'colour'",
    f"{NEW} --strata up": "strata: expected",
    f"{NEW} --metrics N": "BlimpCap, QuuxEval",
    f"{NEW} --metrics N,N": "Each metric may be named only once",
    f"{NEW} --size 99": "all: 6 of 99",
    f"{NEW} --size 0": "a whole number of at least 1",
    f"{NEW} --seed -1": "seed must be from 0",
    f"{NEW} --set raters_per_item=0": "a whole number of at least 1",
    "study create ' ' --dataset birds": "1 to 80 printable",
    "study create pilot --dataset birds": "Choose another name",
    "report nope": "no study 'nope'. Studies: pilot",
    "export pilot --to a.xlsx": ".csv, .jsonl, .parquet",
    "export pilot --to no/where.csv": "Choose another file",
    "serve --host 0.0.0.0": "CAPSCOPE_PUBLIC_URL",
    "--host ::": "CAPSCOPE_PUBLIC_URL",
    "serve --port 0": "--port",
}


@pytest.mark.parametrize(("typed", "words"), MISTAKES.items(), ids=range(len(MISTAKES)))
def test_a_mistake_is_one_line_that_says_what_to_do(
    run: Run, rated_folder: Path, monkeypatch: pytest.MonkeyPatch, typed: str, words: str
) -> None:
    folder = rated_folder.parent
    monkeypatch.chdir(folder)
    before = {path.name for path in folder.rglob("*")}
    assert_refused(run(*shlex.split(typed), CAPSCOPE_DATA=str(rated_folder)), words)
    assert {path.name for path in folder.rglob("*") if not re.search(r"-(wal|shm)$", path.name)} <= before


def test_a_database_that_cannot_be_used_is_refused(run: Run, data_dir: Path) -> None:
    file = data_dir / "capscope.db"
    run("study", "list")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9.9.9'")
    assert_refused(run("study", "list"), "capscope.db", "later version")
    for path in data_dir.glob("capscope.db*"):
        path.unlink()
    file.write_text("This is no database, but long enough to look like a header of one." * 20)
    assert_refused(run("study", "list"), "capscope.db", "another data folder")
    file.unlink()
    file.mkdir()
    assert_refused(run("study", "list"), "capscope.db", "another data folder")


def test_an_option_goes_before_the_variable(run: Run, birds_file: Path, tmp_path: Path, data_dir: Path) -> None:
    other = tmp_path / "other"
    assert run("import", "jsonl", birds_file, "--data-dir", other).code == 0
    assert (other / "capscope.db").is_file()
    assert not data_dir.exists()


def test_help_is_printed_for_every_command(run: Run) -> None:
    for command in ([], *([name] for name in COMMANDS), ["study", "create"]):
        ran = run(*command, "--help")
        assert (ran.code, ran.err) == (0, "") and "Usage: python app.py" in ran.out
    assert "STUDY" in run("report", "--help").out


# -- in processes of their own


@pytest.mark.slow
def test_in_a_process_of_its_own_json_is_alone_on_standard_output_and_a_mistake_is_one_line(
    tmp_path: Path, birds_file: Path
) -> None:
    def ran(*arguments: str | Path) -> Ran:
        command = [sys.executable, "app.py", *map(str, arguments), "--data-dir", str(tmp_path / "data")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
        return Ran(done.returncode, done.stdout, done.stderr)

    assert ran("import", "jsonl", birds_file, "--json").json["samples"] == 6
    assert_refused(ran("report", "nope"), "no study 'nope'. There is no study yet")


def test_help_imports_nothing_that_only_commands_need() -> None:
    code = "import sys, app; app.main(['--help'], {}); print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    libraries = {"sqlalchemy", "gradio", "fastapi", "uvicorn", "pandas", "numpy", "scipy", "PIL", "plotly"}
    heavy = {*HEAVY, *libraries, "storage"}
    assert "Commands:" in told and heavy.isdisjoint(told.split())
