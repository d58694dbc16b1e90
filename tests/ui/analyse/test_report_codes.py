"""`report STUDY --codes`: low ratings of a study by error code."""

from pathlib import Path

import numpy as np
import pytest

from core.analysis.codebooks import EXPERT_CODES
from tests.command_line import command_line
from tests.ui.analyse.test_slices_and_studies import rated_study
from ui.services.workplace import Workplace


@pytest.fixture
def study(workplace: Workplace) -> int:
    """A rated study of the metric M; every second sample is coded, the first one by two coders."""
    for number in range(0, 30, 2):
        code = EXPERT_CODES.codes[number % 3].key
        workplace.repository.codings.set(number + 1, "M", "expert", "Ann", code)
    workplace.repository.codings.set(1, "M", "expert", "Bob", "others")
    return rated_study(workplace)


@pytest.mark.usefixtures("study")
def test_a_report_counts_low_ratings_by_code_as_a_naive_reading_does(
    workplace: Workplace, study: int, capsys: pytest.CaptureFixture[str]
) -> None:
    run = command_line(workplace.data_dir, capsys)
    rows = run("report", "S", "--codes", "expert", "--json").json["codes"]["rows"]
    points: dict[tuple[str, str], list[int]] = {}
    for record in workplace.repository.studies.records(study):
        points.setdefault((record.criterion, record.sample), []).append(record.rating)
    codings = workplace.repository.codings.coded("judged", "M", "expert").codings
    expected = {}
    for code in EXPERT_CODES.codes:
        samples = {one.sample for one in codings if one.code == code.key}
        for criterion in ("consistency", "factuality") if samples else ():
            means = [np.mean(points[criterion, key]) for key in samples if (criterion, key) in points]
            expected[criterion, code.label] = (len(samples), len(means), sum(mean <= 2 for mean in means))
    found = {(row["criterion"], row["code"]): (row["coded"], row["rated"], row["low"]) for row in rows}
    assert found == expected and any(low for _, _, low in found.values())


@pytest.mark.usefixtures("study")
def test_the_table_is_printed_below_the_report(workplace: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    run = command_line(workplace.data_dir, capsys)
    plain, coded = run("report", "S"), run("report", "S", "--codes", "expert")
    assert plain.code == coded.code == 0 and coded.out.startswith(plain.out)
    printed = " ".join(coded.out.removeprefix(plain.out).split())
    assert "Low ratings by error code" in printed and "its mean rating is 2 or less." in printed


def test_a_codebook_that_nobody_used_is_said_in_words(
    workplace: Workplace, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rated_study(workplace)
    run = command_line(workplace.data_dir, capsys)
    unused = run("report", "S", "--codes", "polos")
    assert unused.code == 0 and "were coded with polos" in " ".join(unused.out.split())
    unknown = run("report", "S", "--codes", "mine")
    assert unknown.code == 2 and "There is no codebook 'mine'" in unknown.err
    page = run("report", "S", "--codes", "expert", "--to", f"{tmp_path}/page.html")
    assert page.code == 2 and "Remove --codes or --to" in page.err
