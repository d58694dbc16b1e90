"""The tests of scripts that need no page, run by deno: each one is a test here."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
DENO = Path(sys.executable).parent / "deno"  # comes with the development requirements
NAMES = [
    (path.name, name)
    for path in sorted(HERE.glob("*.test.js"))
    for name in re.findall(r'^Deno\.test\("(.+?)", ', path.read_text(encoding="utf-8"), re.MULTILINE)
]


@cache
def outcomes() -> dict[tuple[str, str], str]:
    """Run all of them once; returns what went wrong by file and name, "" for nothing."""
    command = [
        DENO,
        "test",
        "--no-check",
        "--quiet",
        "--no-config",
        "--reporter=junit",
        *sorted(HERE.glob("*.test.js")),
    ]
    quiet = os.environ | {"NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, env=quiet)
    assert done.stdout.startswith("<?xml"), done.stdout + done.stderr
    found = {}
    for suite in ElementTree.fromstring(done.stdout).iter("testsuite"):
        for case in suite.iter("testcase"):
            failure = case.find("failure")
            found[Path(suite.attrib["name"]).name, case.attrib["name"]] = "" if failure is None else failure.text or "?"
    return found


@pytest.mark.parametrize(("file", "name"), NAMES, ids=lambda text: text)
def test_script(file: str, name: str) -> None:
    problem = outcomes().get((file, name), f"it did not run: try deno test {HERE / file}")
    assert not problem, problem


def test_every_test_that_ran_is_listed_here() -> None:
    assert NAMES and set(outcomes()) == set(NAMES)


def test_the_check_finds_values_that_may_be_absent_and_names_without_a_type() -> None:
    options = json.loads((ROOT / "deno.json").read_text())["compilerOptions"]
    off = {name for name, value in options.items() if value is False}
    assert options["strict"] and options["checkJs"]
    assert off == {"strictPropertyInitialization"}, "fields that a method called by the constructor sets"
