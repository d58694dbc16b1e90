"""`user`, `sessions`, `log` and `study link`, as people type them."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import app
from storage import open_repository
from tests.making import make_study
from ui.services.workplace import Workplace

Run = Callable[..., str]


@pytest.fixture
def run(birds: Workplace, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on the data folder birds; returns what it prints."""

    def printed(*arguments: str, rc: int = 0, **environ: str) -> str:
        given = {"CAPSCOPE_DATA": str(birds.data_dir), **environ}
        assert app.main(arguments, given) == rc
        out = capsys.readouterr()
        return out.err if rc else out.out

    return printed


def test_an_account_is_made_with_a_link_and_never_a_password(run: Run, birds: Workplace) -> None:
    printed = run("user", "add", "Ada@lab.example", "--role", "admin", CAPSCOPE_PUBLIC_URL="https://a.example/capscope")
    (token,) = re.findall(r"^https://a\.example/capscope/password/([\w-]{32})$", printed, re.MULTILINE)
    assert birds.repository.accounts.of_link(token).name == "ada@lab.example"
    assert "password" not in run("user", "add", "--help").lower().replace("link to set its password", "")
    assert "already exists" in run("user", "add", "ada@lab.example", rc=2)
    assert "one of viewer, researcher, admin" in run("user", "add", "bob", "--role", "root", rc=2)


def test_accounts_are_listed_changed_and_closed(run: Run, birds: Workplace) -> None:
    assert "no account yet" in run("user", "list")
    for name, role in (("ada", "admin"), ("bob", "viewer")):
        run("user", "add", name, "--role", role)
    run("user", "role", "bob", "researcher")
    run("user", "disable", "bob")
    assert run("user", "list").splitlines() == ["ada: admin, no password yet", "bob: researcher, closed"]
    assert "is closed" in run("user", "link", "bob", rc=2)
    run("user", "enable", "bob")
    assert [one["disabled"] for one in json.loads(run("user", "list", "--json"))] == [False, False]
    assert re.search(r"^http://127\.0\.0\.1:7860/password/", run("user", "link", "bob"), re.MULTILINE)
    assert "only admin" in run("user", "disable", "ada", rc=2)


def test_sessions_are_listed_and_ended(run: Run, birds: Workplace) -> None:
    assert "Nobody" in run("sessions", "list")
    token = birds.repository.sessions.start_rater(birds.repository.raters.add("K7"), "Firefox on Linux")
    assert run("sessions", "list").startswith("1: rater K7, Firefox on Linux, seen ")
    assert json.loads(run("sessions", "list", "--json"))[0]["rater"] == "K7"
    assert run("sessions", "revoke", "1") == "Ended the session of rater K7.\n"
    assert birds.repository.sessions.rater(token) is None
    assert "no session with the number 1" in run("sessions", "revoke", "1", rc=2)


def test_links_into_a_study_are_made_for_codes_or_for_anybody(run: Run, birds: Workplace) -> None:
    study = make_study(birds, "pilot")
    personal = run("study", "link", "pilot", "--codes", "k7,M3", "--uses", "1", "--days", "7")
    tokens = dict(re.findall(r"^(\w+): http://127\.0\.0\.1:7860/r/([\w-]{32})$", personal, re.MULTILINE))
    assert list(tokens) == ["K7", "M3"]
    link = birds.repository.links.find(tokens["K7"])
    assert link is not None and (link.study, link.rater, link.uses_allowed) == (study.id, "K7", 1)
    (one,) = json.loads(run("study", "link", "pilot", "--json", CAPSCOPE_PUBLIC_URL="https://a.example"))
    assert one["rater"] is None and one["address"].startswith("https://a.example/r/")
    assert "There is no study 'x'" in run("study", "link", "x", rc=2)
    assert "A rater's code" in run("study", "link", "pilot", "--codes", "good,not good", rc=2)
    assert len(birds.repository.links.of_study(study.id)) == 3


def test_the_log_is_printed_and_written_in_a_form_that_spreadsheets_take_for_text(
    run: Run, birds: Workplace, tmp_path: Path
) -> None:
    run("user", "add", "ada", "--role", "admin")
    birds.repository.audit.add("=HYPERLINK(1)", "sign-in failed", "account é", "203.0.113.5")
    lines = [json.loads(line) for line in run("log").splitlines()]
    assert [(one["actor"], one["deed"], one["object"]) for one in lines] == [
        ("command line", "account made", "account ada, admin"),
        ("=HYPERLINK(1)", "sign-in failed", "account é"),
    ]
    run("log", "--to", str(tmp_path / "log.csv"))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "log.csv").read_text(encoding="utf-8"))))
    assert rows[1]["actor"] == "'=HYPERLINK(1)" and rows[1]["address"] == "203.0.113.5"
    assert rows[0]["at"].endswith("Z")
    assert ".csv, .jsonl" in run("log", "--to", str(tmp_path / "log.xlsx"), rc=2)


def test_what_the_commands_wrote_is_there_when_the_database_is_opened_again(run: Run, birds: Workplace) -> None:
    run("user", "add", "ada", "--role", "admin")
    again = open_repository(birds.data_dir / "capscope.db")
    assert [account.name for account in again.accounts.all()] == ["ada"]
    again.close()


def test_the_log_tells_what_the_command_line_brought_and_put_back(run: Run, birds: Workplace, tmp_path: Path) -> None:
    birds.repository.close()
    file = tmp_path / "more.jsonl"
    file.write_text('{"id": "1", "image": "1.jpg", "caption": "A bird."}\n')
    run("import", "jsonl", str(file), "--dataset", "more")
    run("backup", str(tmp_path / "backups"))
    run("restore", str(tmp_path / "backups"))
    told = [line["deed"] + ": " + line["object"] for line in map(json.loads, run("log").splitlines())]
    assert told[0] == "data imported: data set more, jsonl"
    assert len(told) == 2 and told[1].startswith("backup restored: capscope-2")


def test_a_stop_at_more_gold_than_a_rater_gets_is_warned_of(
    run: Run, birds: Workplace, capsys: pytest.CaptureFixture[str]
) -> None:
    make_study(birds, "few gold", size=2)
    arguments = ["study", "set", "few gold", "--stop-after-gold"]
    given = {"CAPSCOPE_DATA": str(birds.data_dir)}
    assert app.main([*arguments, "3"], given) == 0
    assert "Warning: Raters are never stopped at 3 failed gold items" in capsys.readouterr().err
    assert app.main([*arguments, "0"], given) == 0
    assert capsys.readouterr().err == ""


def test_a_manager_sets_codes_and_the_rule_for_gold_and_exports_the_check(
    run: Run, birds: Workplace, tmp_path: Path
) -> None:
    study = make_study(birds, "checked", size=2, form="guided-single")
    rater = birds.repository.raters.add("K7")
    answers = [question.right for question in study.asks.check]
    birds.repository.visits.answer_check(study.id, rater, 1, answers)
    run("study", "set", "checked", "--stop-after-gold", "3")
    assert birds.repository.quality.watch(study.id).stop_after_gold == 3
    run("study", "set", "checked", "--stop-after-gold", "0")
    assert birds.repository.quality.watch(study.id).stop_after_gold is None
    to = tmp_path / "checks.csv"
    assert "Wrote 2 answers to the comprehension check" in run("export", "checked", "--to", str(to), "--checks")
    assert to.read_text().count("passed") == 2
    assert "no comprehension check" in run("export", make_study(birds).name, "--to", str(to), "--checks", rc=2)
    address = run(
        "study", "panel-link", "checked", "--panel", "Prolific", "--failed-check", "C4", "--failed-gold", "C5"
    )
    link = birds.repository.links.find(re.findall(r"/r/([\w-]+)", address)[0])
    panel = None if link is None else birds.repository.panel_links.panel(link)
    assert panel is not None and (panel.failed_check.code, panel.failed_gold.code) == ("C4", "C5")
