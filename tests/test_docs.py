"""The README and the guides that it leads to keep step with commands, formats, metrics, criteria and settings."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from core.metrics import METRICS
from core.studies.asking.form import Form
from core.studies.asking.form_file import shipped_forms
from ui.commands import build_cli
from ui.settings import VARIABLES, Settings

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
DOCS = ROOT / "docs"
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if path.parent.name != "decisions"]
GUIDES = "\n".join([README, *(path.read_text() for path in PAGES)])


def options(command: Any, words: str = "") -> Iterator[tuple[str, set[str]]]:
    """Yield each command as it is typed, with its options and those of the app."""
    yield words, {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from options(command.get_command(None, name), f"{words} {name}".strip())


KNOWN = dict(options(build_cli(Settings())))
GROUPS = {name.split()[0] for name in KNOWN if " " in name}
EVERY_COMMAND = [name for name in KNOWN if name not in ("", "serve", *GROUPS - {"models"})]


def test_the_guides_show_every_command() -> None:
    assert [command for command in EVERY_COMMAND if f"app.py {command}" not in GUIDES] == []


def test_every_command_that_the_guides_show_exists() -> None:
    shown = re.findall(r"python app\.py ((?:[a-z][a-z-]* ?){1,2})", GUIDES)
    assert shown
    for words in shown:
        first = words.split()
        assert " ".join(first) in EVERY_COMMAND or first[0] in EVERY_COMMAND, words


def test_every_option_of_a_command_that_the_guides_show_exists() -> None:
    shown = re.findall(r"python app\.py +([^\s`#][^\n`#]*)", GUIDES.replace("\\\n", " "))
    assert len(shown) > 100
    for line in shown:
        words = line.split()
        command = next((name for name in (" ".join(words[:2]), words[0]) if name in KNOWN), "")
        given = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)) - {"--help"}
        assert given <= KNOWN[command] | KNOWN[""], line


def test_the_readme_names_every_metric() -> None:
    assert [metric.name for metric in METRICS if metric.name not in README] == []


@pytest.mark.parametrize("form", shipped_forms(), ids=lambda form: form.key)
def test_the_guides_name_every_form_with_its_criteria(form: Form) -> None:
    row = next((line for line in GUIDES.splitlines() if f"`{form.key}`" in line), None)
    assert row is not None, f"docs/reference/forms.md lacks a row for the form {form.key!r}"
    assert [criterion.name for criterion in form.criteria if criterion.name.lower() not in row.lower()] == []


def test_the_guides_list_every_setting_with_its_default() -> None:
    settings = Settings()
    for field, variable in VARIABLES.items():
        row = next(line for line in GUIDES.splitlines() if line.startswith(f"| `{variable}`"))
        default = getattr(settings, field)
        shown = "none" if default in (None, ()) else f"`{int(default) if isinstance(default, bool) else default}`"
        assert row.endswith(f"| {shown} |")
        assert (f"`--{field.replace('_', '-')}`" in row) == (field in signature(Settings.with_options).parameters)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_lists_every_command_of_the_makefile() -> None:
    listed = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    commands = "help run test quick check bench marks lock demo".split()
    assert [line.split()[1] for line in listed.stdout.splitlines()] == commands


DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
LINKING = [
    *("README.md", "CONTRIBUTING.md", "SECURITY.md"),
    *(path.relative_to(ROOT).as_posix() for path in [*PAGES, *DECISIONS]),
]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_picture_page_and_heading_that_a_page_links_to_is_there() -> None:
    lost = []
    for page in LINKING:
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)", (ROOT / page).read_text()):
            linked = (ROOT / page).parent / target if target else ROOT / page
            if not target.startswith("http") and (not linked.exists() or anchor and anchor not in anchors(linked)):
                lost.append(f"{page}: {target}#{anchor}")
    assert lost == []


def test_the_index_of_the_documentation_links_to_every_page_once() -> None:
    listed = re.findall(r"^- \[.*?\]\(([\w/-]+\.md)\)", (DOCS / "README.md").read_text(), re.MULTILINE)
    pages = [path.relative_to(DOCS).as_posix() for path in PAGES if path.parent != DOCS]
    assert sorted(listed) == sorted([*pages, "decisions/README.md"])


def test_the_page_on_scores_names_every_component_that_a_metric_declares() -> None:
    text = (DOCS / "reference" / "scores.md").read_text()
    declared = {name for metric in METRICS for name in metric.meanings}
    assert {"raw", "p", "q", "units", "precision", "recall"} <= declared
    assert [name for name in sorted(declared) if f"`{name}`" not in text] == []


def test_each_decision_that_code_and_pages_name_by_its_number_is_there() -> None:
    pattern = r"(decisions/|[Dd]ecision )[0-9]{3}\b"
    named = subprocess.run(["git", "grep", "-hoE", pattern], cwd=ROOT, capture_output=True, text=True)
    if named.returncode:
        pytest.skip("these sources are no clone")
    numbers = {line[-3:] for line in named.stdout.split("\n") if line}
    assert len(numbers) > 10 and numbers - {path.name[:3] for path in DECISIONS} == set()
