"""A study's archive: equal figures, no private value in its bytes, no other study, and no trust in strangers' files."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import BadFile, BadSetting
from core.studies.asking.questionnaire import questions_of
from storage.tables import Table
from storage.transfer.archive import PRIVATE
from storage.types import Search
from tests.command_line import command_line
from tests.making import METRICS, answer_all, make_study
from ui.services.demo import DATASET, ensure_demo
from ui.services.transfer.archive import SUFFIX, archive_study, opened_archive
from ui.services.workplace import Workplace

SECRETS = ("Private-account", "Private-answer", "10.98.76.54", "Private-deed", "Other-study", "Other-rater")


def test_no_private_value_and_no_other_study_is_in_an_archives_bytes(birds: Workplace, tmp_path: Path) -> None:
    repository = birds.repository
    study, other = make_study(birds, "Shared"), make_study(birds, "Other-study")
    answer_all(repository, other, repository.raters.add("Other-rater"))
    rater = repository.raters.add("K1")
    repository.studies.settle(study.id, before=questions_of("Where from?"))
    repository.visits.answer(study.id, rater, None, ["Private-answer"])
    answer_all(repository, study, rater)
    repository.accounts.add("Private-account", "admin")
    sample = repository.samples.search(Search("birds"), 0, 1).samples[0]
    repository.codings.set(sample.id, METRICS[0], "expert", "Private-account", "others")
    repository.audit.add("Private-account", "Private-deed", "", "10.98.76.54")
    file = tmp_path / f"shared{SUFFIX}"
    assert archive_study(birds, study, file) == 0
    content = file.read_bytes()
    for secret in (*SECRETS, str(birds.data_dir), str(tmp_path)):
        assert secret.encode() not in content, secret
    with closing(sqlite3.connect(file)) as opened:
        filled = {
            table for table in Table.metadata.tables if opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        }
    assert not filled & PRIVATE and {"ratings", "events", "raters", "visits", "scores", "images"} <= filled
    with opened_archive(file) as archived:
        with pytest.raises(BadSetting, match="nothing can be stored"):
            archived.repository.raters.add("K8")
        assert [one.coder for one in archived.repository.codings.coded("birds", METRICS[0], "expert").codings] == [
            "coder 1"
        ]


@pytest.mark.slow
def test_an_archive_of_the_demo_gives_equal_figures_with_its_pictures(
    workplace: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ensure_demo(workplace)
    study = make_study(workplace, "Demo study", dataset=DATASET, size=3)
    answer_all(workplace.repository, study, workplace.repository.raters.add("K1"))
    file, run = tmp_path / f"demo{SUFFIX}", command_line(workplace.data_dir, capsys)
    told = run("study", "archive", "Demo study", "--to", file, "--pictures")
    assert told.code == 0, told
    assert run("report", file, "--json").out == run("report", "Demo study", "--json").out
    agreement = ("correlate", "--dataset", DATASET, "--json")
    assert run(*agreement, "--data-dir", file).out == run(*agreement).out
    with opened_archive(file) as archived:
        found = archived.repository.samples.many(archived.repository.samples.ids(Search(DATASET)))
        assert all(one.sample.image.path is not None and one.sample.image.path.is_file() for one in found)


@pytest.mark.parametrize("change", ["CREATE VIEW v AS SELECT 1", "DROP TABLE archived_pictures"])
def test_another_file_is_refused(birds: Workplace, tmp_path: Path, change: str) -> None:
    file = tmp_path / f"odd{SUFFIX}"
    archive_study(birds, make_study(birds), file)
    with closing(sqlite3.connect(file)) as opened:
        opened.execute(change)
        opened.commit()
    with pytest.raises(BadFile, match="not the archive of a study|foreign code"), opened_archive(file):
        pass
