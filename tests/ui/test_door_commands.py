"""`user` and `study link`, as people type them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

import app
from tests.making import make_study
from ui.services.workplace import Workplace

Run = Callable[..., str]
SERVING = """
import sys
from pathlib import Path
from ui.services.workplace import hold_for_serving
hold_for_serving(Path(sys.argv[1]), "http://127.0.0.1:8123")
print("held", flush=True)
sys.stdin.read()
"""


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


def test_links_into_a_study_are_made_for_codes_or_for_anybody(run: Run, birds: Workplace) -> None:
    study = make_study(birds, "pilot")
    personal = run("study", "link", "pilot", "--codes", "k7,M3", "--uses", "1")
    tokens = dict(re.findall(r"^(\w+): http://127\.0\.0\.1:7860/r/([\w-]{32})$", personal, re.MULTILINE))
    assert list(tokens) == ["K7", "M3"]
    link = birds.repository.links.find(tokens["K7"])
    assert link is not None and (link.study, link.rater, link.uses_allowed) == (study.id, "K7", 1)
    (one,) = json.loads(run("study", "link", "pilot", "--json", CAPSCOPE_PUBLIC_URL="https://a.example"))
    assert one["rater"] is None and one["address"].startswith("https://a.example/r/")
    assert "There is no study 'x'" in run("study", "link", "x", rc=2)
    assert "A rater's code" in run("study", "link", "pilot", "--codes", "good,not good", rc=2)
    assert len(birds.repository.links.of_study(study.id)) == 3


@pytest.mark.slow
def test_a_link_has_the_address_of_the_running_app(run: Run, birds: Workplace) -> None:
    make_study(birds, "pilot")
    assert run("study", "link", "pilot").startswith("http://127.0.0.1:7860/r/")
    held = subprocess.Popen(
        [sys.executable, "-c", SERVING, str(birds.data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert held.stdout is not None and held.stdout.readline()
    assert run("study", "link", "pilot").startswith("http://127.0.0.1:8123/r/")
    assert run("study", "link", "pilot", "--address", "https://a.example/").startswith("https://a.example/r/")
    held.communicate(b"", timeout=30)
