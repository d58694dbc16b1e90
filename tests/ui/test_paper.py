"""What a paper takes from a study."""

import io
import re
import zipfile
from pathlib import Path

import pytest

from tests.command_line import command_line
from tests.making import answer_all, make_study
from ui.services.workplace import Workplace


@pytest.fixture
def rated(birds: Workplace) -> Workplace:
    study = make_study(birds, "pilot", form="side_by_side")
    for code, point in (("K7", 4), ("M2", 3)):
        answer_all(birds.repository, study, birds.repository.raters.add(code), point)
    return birds


def test_one_file_holds_methods_tables_and_figures(
    rated: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rated.repository.close()
    run, to = command_line(rated.data_dir, capsys), tmp_path / "paper.zip"
    assert run("report", "pilot", "--to", to).code == 0
    with zipfile.ZipFile(io.BytesIO(to.read_bytes())) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert files["methods.txt"].startswith(
        "2 raters judged explanations by BlimpCap, QuuxEval and ZorkScore of 6 items"
    )
    pivot = files["ratings-as-in-papers.tex"]
    assert "metric & consistency & factuality & informativeness" in pivot
    assert re.search(r"ZorkScore & 3\.50 \(0\.52\) & 3\.50 \(0\.52\) & 3\.50 \(0\.52\)", pivot)
    assert "M2 & 6 & 54 & 0.0\\%" in files["tables/raters.tex"]
    assert files["tables/ratings.csv"].splitlines()[0].startswith("metric,criterion,")
    assert all("var(--" not in text and "currentColor" not in text for name, text in files.items() if ".svg" in name)
    assert {"figures/means-1.svg", "figures/distribution-1.svg"} <= set(files)
    ratings = files["tables/ratings.csv"].splitlines()[0].split(",")
    assert {"95 % interval low", "95 % interval high"} <= set(ratings) and "95 % interval" not in ratings
    assert run("report", "pilot", "--to", tmp_path / "again.zip").code == 0
    assert (tmp_path / "again.zip").read_bytes() == to.read_bytes()
    assert "must end in .html" in run("report", "--dataset", "birds", "--to", to).err


def test_a_studys_report_tells_methods_severity_and_places(
    rated: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rated.repository.close()
    to = tmp_path / "report.html"
    command_line(rated.data_dir, capsys)("report", "pilot", "--to", to)
    page = to.read_text(encoding="utf-8")
    for part in (">Methods</h2>", ">Raters</h2>", ">Effect of the position on the page</h2>", "seed 7"):
        assert part in page, part
