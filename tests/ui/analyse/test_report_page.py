import re
from pathlib import Path

import pytest

from app import main
from core.studies.design import StudyDesign
from tests.ui.analyse.test_slices_and_studies import rated_study
from ui.report.report import dataset_report_html, report_html
from ui.services.analysis.analyst import Analyst
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace


def test_the_report_stands_alone_and_holds_what_the_page_shows(workplace: Workplace) -> None:
    rated_study(workplace)
    workplace.repository.codings.set(1, "M", "expert", "<b>Ann</b>", "others")
    workplace.repository.codings.set(1, "M", "expert", "Bob", "others")
    study = report_html(Analyst(workplace), workplace.repository.studies.named("S").id)
    assert re.findall("<h2>(.*)</h2>", study) == ["Results"] and "alpha ordinal" in study
    assert "Ratings" in study and "Agreement between raters" in study and "<td>all</td>" in study
    page = dataset_report_html(Analyst(workplace), "judged")
    for heading in ("Largest errors of M", "Agreement with human judgement", "Plot", "By category"):
        assert f"<h2>{heading}</h2>" in page
    assert "Coded errors of M (expert)" in page
    own = "".join(one.split("<script>")[0] for one in (study, page))  # Plotly's script follows the pages' own content
    own = own.replace('href="data:,"', "")
    assert not re.search(r'(src|href)="|@import|nan|<b>Ann', own)
    assert "&lt;b&gt;Ann" in page


def test_the_command_writes_a_study_that_nobody_rated_and_refuses_another_ending(
    workplace: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    services.create_study(workplace, StudyDesign("E", "judged", seed=1, metrics=("M",)))
    environ = {"CAPSCOPE_DATA": str(workplace.data_dir)}
    assert main(["report", "E", "--to", str(tmp_path / "r.html")], environ) == 0
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>") and page.count("Nobody has rated") == 1 and "Mean ratings" not in page
    assert main(["report", "E", "--to", str(tmp_path / "r.pdf")], environ) == 2
    said = capsys.readouterr().err
    assert "must end in .html" in said and "Found: r.pdf" in said
