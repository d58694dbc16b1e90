import re
from pathlib import Path

import pytest

from app import main
from core.studies.design import StudyDesign
from tests.ui.analyse.test_slices_and_studies import rated_study
from ui.report.report import report_html
from ui.services.analysis.analyst import Analyst
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace


def test_the_report_stands_alone_and_holds_what_the_page_shows(workplace: Workplace) -> None:
    rated_study(workplace)
    workplace.repository.codings.set(1, "M", "expert", "<b>Ann</b>", "others")
    workplace.repository.codings.set(1, "M", "expert", "Bob", "others")
    page = report_html(Analyst(workplace), workplace.repository.studies.named("S").id)
    for heading in ("Largest errors of M", "Agreement with human judgement", "Plot", "By category"):
        assert f"<h2>{heading}</h2>" in page
    for title in ("Ratings", "Agreement between raters", "Coded errors of M (expert)"):
        assert f"{title}" in page
    assert "alpha ordinal" in page and "<td>all</td>" in page
    own = page.split("<script>")[0].replace('href="data:,"', "")  # Plotly's script follows the page's own content
    assert not re.search(r'(src|href)="|@import|nan|<b>Ann', own)
    assert "&lt;b&gt;Ann" in page


def test_a_study_that_nobody_rated_still_has_a_report(workplace: Workplace) -> None:
    study = services.create_study(workplace, StudyDesign("E", "judged", seed=1, metrics=("M",)))
    page = report_html(Analyst(workplace), study.id)
    assert "Nobody has rated yet." in page and "Mean ratings" not in page


def test_the_command_writes_the_file_and_refuses_another_ending(
    workplace: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rated_study(workplace)
    environ = {"CAPSCOPE_DATA": str(workplace.data_dir)}
    assert main(["report", "S", "--to", str(tmp_path / "r.html")], environ) == 0
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert main(["report", "S", "--to", str(tmp_path / "r.pdf")], environ) == 2
    said = capsys.readouterr().err
    assert "must end in .html" in said and "Found: r.pdf" in said
