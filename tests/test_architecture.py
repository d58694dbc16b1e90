"""The shape of the house, read from the code's own imports and calls."""

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "storage", "ui")
SOURCES = sorted(path for folder in PACKAGES for path in (ROOT / folder).rglob("*.py")) + [ROOT / "app.py"]
SCRIPTS = sorted((ROOT / "ui" / "static").rglob("*.js"))
MODEL_LIBRARIES = {
    *("torch", "torchvision", "transformers", "ultralytics", "spacy", "peft", "timm", "accelerate", "safetensors"),
    *("sentence_transformers", "huggingface_hub", "tokenizers", "clip", "open_clip"),
}
# library -> the only folders whose code may import it
AT_HOME = {name: ("core/models", "core/training") for name in MODEL_LIBRARIES} | {
    "sqlalchemy": ("storage",),
    "alembic": ("storage",),
    "sqlite3": ("storage",),
    "gradio": ("ui",),
    "httpx2": ("core/models", "core/network", "ui/demo_copy", "ui/web"),  # there it asks the app in its own process
    "ray": ("core/engines",),
    "fastapi": ("ui",),
    "starlette": ("ui",),
    "uvicorn": ("ui",),
    "typer": ("ui/commands", "app.py"),
}
TAKES_SECONDS = {
    *("torch", "torchvision", "transformers", "ultralytics", "spacy", "peft", "safetensors.torch", "gradio", "ray"),
}  # to import, so that tests do it when they run, and not when they are collected
OF_GRADIO = ("sanitize_html", "datatype", "render_markdown", "html_template")
MAY_IMPORT = {"core": {"core"}, "storage": {"core", "storage"}, "ui": {"core", "storage", "ui"}}
SINKS = re.compile(
    r"\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|setHTMLUnsafe|createContextualFragment|"
    r"\[\s*['\"`](?:inner|outer)HTML|\beval\(|new Function\(|srcdoc"
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield (dotted name, line) of everything imported anywhere in a file, `from a import b` as "a.b"."""
    for node in telling(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and _is_import_call(node):
            (first, *_) = node.args
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value, node.lineno


@cache
def telling(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return what tests here look at, of all that a file holds: walking a file takes longer than reading it."""
    looked_at = ast.Import | ast.ImportFrom | ast.Call | ast.keyword | ast.ExceptHandler
    return tuple(node for node in ast.walk(tree) if isinstance(node, looked_at))


def _is_import_call(node: ast.Call) -> bool:
    called = getattr(node.func, "id", getattr(node.func, "attr", None))
    return called in ("__import__", "import_module") and bool(node.args)


def misplaced(path: str, tree: ast.AST) -> list[str]:
    """Return the imports of a file that do not belong where it stands."""
    package, found = path.split("/")[0], []
    for name, line in imports(tree):
        library = name.split(".")[0]
        if library in PACKAGES and library not in MAY_IMPORT.get(package, set(PACKAGES)):
            found.append(f"{path}:{line} imports {name}: {package} knows only {sorted(MAY_IMPORT[package])}")
        if library == "app":
            found.append(f"{path}:{line} imports {name}: nothing imports the composition root")
        if library in AT_HOME and not path.startswith(AT_HOME[library]):
            found.append(f"{path}:{line} imports {name}: only {AT_HOME[library]} may")
    return found


def loaded_at_import(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield what importing the file imports: imports outside functions and outside `if TYPE_CHECKING`."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from imports(node)
            lazy = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr)
            if not lazy and not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
                waiting.append(node)


def slow_imports(path: Path, seen: set[Path]) -> Iterator[str]:
    """Yield "file imports library" for what takes seconds, wherever importing leads to that has not been seen yet."""
    seen.add(path)
    slow, leads_to = loads(path)
    yield from slow
    for found in leads_to:
        if found not in seen:
            yield from slow_imports(found, seen)


@cache
def loads(path: Path) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Return "file imports library" for what takes seconds, and the repository's own files, that a file imports."""
    slow, own = [], []
    for name, line in loaded_at_import(parsed(path)):
        if any(f"{name}.".startswith(f"{library}.") for library in TAKES_SECONDS):
            slow.append(f"{name_of(path)}:{line} imports {name}")
        parts = name.split(".")
        for module in ("/".join(parts[:end]) for end in range(1, len(parts) + 1)):
            own += [found for found in (ROOT / f"{module}.py", ROOT / module / "__init__.py") if found.exists()]
    return tuple(slow), tuple(own)


def broad(tree: ast.AST) -> list[int]:
    """Return the lines of handlers that catch everything and do not raise it again."""
    return [
        node.lineno
        for node in telling(tree)
        if isinstance(node, ast.ExceptHandler)
        and ast.unparse(node.body[-1]) != "raise"
        and (node.type is None or re.search(r"\b(Base)?Exception\b", ast.unparse(node.type)))
    ]


def unsafe_calls(tree: ast.AST) -> list[str]:
    """Return Gradio calls that would show text as HTML."""
    found = []
    for node in telling(tree):
        if isinstance(node, ast.keyword) and node.arg in OF_GRADIO:
            value = ast.unparse(node.value)
            if (node.arg, value) in (("sanitize_html", "False"), ("datatype", "'html'"), ("render_markdown", "'html'")):
                found.append(f"line {node.value.lineno}: {node.arg}={value}")
            if node.arg == "datatype" and "'html'" in value:
                found.append(f"line {node.value.lineno}: datatype={value}")
            if node.arg == "html_template" and re.search(r"\$\{|\{\{\{", value):
                found.append(f"line {node.value.lineno}: html_template with an unescaped value")
    return found


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def test_there_is_code_to_look_at() -> None:
    assert {"core/types.py", "storage/engine/database.py", "ui/web/server.py", "app.py"} <= {
        name_of(path) for path in SOURCES
    }
    assert len(SCRIPTS) >= 5


def test_imports_point_inwards_and_libraries_stay_at_home() -> None:
    assert [problem for path in SOURCES for problem in misplaced(name_of(path), parsed(path))] == []


def test_the_lists_of_metrics_and_models_load_no_model_library() -> None:
    listed = [*(ROOT / "core" / "metrics").rglob("*.py"), ROOT / "core" / "models" / "__init__.py"]
    loaded = [(name_of(path), name) for path in listed for name, _ in loaded_at_import(parsed(path))]
    assert [(path, name) for path, name in loaded if name.split(".")[0] in MODEL_LIBRARIES] == []


def test_collecting_the_tests_imports_nothing_that_takes_seconds() -> None:
    files = [path for pattern in ("test_*.py", "conftest.py") for path in (ROOT / "tests").rglob(pattern)]
    assert len(files) > 100
    seen: set[Path] = set()
    assert [found for path in files for found in slow_imports(path, seen)] == []


def nested_functions(tree: ast.AST, inside: bool = False) -> Iterator[str]:
    """Yield the name of each function that is defined inside another function."""
    for node in ast.iter_child_nodes(tree):
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_function and inside:
            yield node.name
        yield from nested_functions(node, inside or is_function)


def test_routes_and_commands_are_functions_at_the_top_of_their_modules() -> None:
    folders = ("ui/web/routes", "ui/commands")
    nested = [
        f"{name_of(path)}: {name}"
        for path in SOURCES
        if name_of(path.parent) in folders
        for name in nested_functions(ast.parse(path.read_text()))
    ]
    assert nested == []


def test_no_handler_catches_everything() -> None:
    assert [f"{name_of(path)}:{line}" for path in SOURCES for line in broad(parsed(path))] == []


def test_no_component_shows_text_as_html() -> None:
    assert [(name_of(path), problem) for path in SOURCES for problem in unsafe_calls(parsed(path))] == []


def test_no_script_turns_text_into_html() -> None:
    assert [(name_of(path), hit) for path in SCRIPTS for hit in SINKS.findall(path.read_text(encoding="utf-8"))] == []


def test_no_script_talks_to_another_host() -> None:
    foreign = re.compile(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"'`]+|[\"'`]//[a-z]")
    code = {name_of(path): path.read_text(encoding="utf-8") for path in SCRIPTS}
    assert [(name, hit) for name, text in code.items() for hit in foreign.findall(text)] == []


def test_every_module_says_what_it_is() -> None:
    silent = [name_of(path) for path in SOURCES if not ast.get_docstring(parsed(path))]
    assert silent == []


# the floors, as docs/explanation/architecture.md draws them


Floors = dict[str, dict[str, int]]  # house -> room -> floor, 0 at the bottom


def drawn_floors(page: str) -> Floors:
    """Return the first drawing of the page: a house's name, then its rooms, the highest floor first."""
    houses: Floors = {}
    for part in page.split("```")[1].strip().split("\n\n"):
        house, *lines = part.splitlines()
        houses[house] = {room: floor for floor, line in enumerate(reversed(lines)) for room in line.split()}
    return houses


def is_code(path: str) -> bool:
    return (ROOT / path).is_dir() or (ROOT / f"{path}.py").exists()


def named_paths(path: Path) -> Iterator[tuple[str, int]]:
    """Yield (path from the top, line) of what a Python file or a script imports of ours."""
    if path.suffix == ".js":
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"(?:from|import\()\s*[\"'](\.[^\"']+)[\"']", text):
            yield name_of((path.parent / found[1]).resolve()), text[: found.start()].count("\n") + 1
    else:
        for name, line in imports(parsed(path)):
            whole = name.replace(".", "/")
            yield whole if is_code(whole) else whole.rpartition("/")[0], line


def room_in(house: str, path: str) -> str | None:
    """Return the room of a house that a path leads into; None for other houses and for the house itself."""
    below = path.removeprefix(f"{house}/")
    room = below.split("/")[0].split(".")[0]
    return room if below != path and room != "__init__" else None


def steps_up(houses: Floors, files: Iterable[Path]) -> list[str]:
    """Return the imports that do not lead to a lower floor of the same house, and rooms that are not drawn."""
    found = []
    for path, house in itertools.product(files, houses):
        room, floors = room_in(house, name_of(path)), houses[house]
        if room is None or path.stem == "capscope":  # the first script, which only starts a page's own
            continue
        for imported, line in named_paths(path):
            other = room_in(house, imported)
            if other not in (None, room) and floors.get(room, -1) <= floors.get(str(other), 99):
                found.append(f"{name_of(path)}:{line} imports {imported}: {house}/{other} does not stand below {room}")
    return found


PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")


def test_every_import_leads_to_a_lower_floor() -> None:
    assert steps_up(drawn_floors(PAGE), [*SOURCES, *SCRIPTS]) == []


@pytest.mark.parametrize("house", drawn_floors(PAGE))
def test_the_drawing_names_the_rooms_that_there_are(house: str) -> None:
    suffix = ".js" if house == "ui/static" else ".py"
    parts = [part for part in (ROOT / house).iterdir() if part.suffix == suffix or any(part.rglob(f"*{suffix}"))]
    rooms = {part.stem for part in parts} - {"__init__", "capscope"}
    assert set(drawn_floors(PAGE)[house]) == rooms


def test_every_module_that_the_page_names_is_there() -> None:
    names = re.findall(r"`((?:core|storage|ui)/[\w./]+)`", PAGE)
    assert len(names) > 20
    assert [name for name in names if not is_code(name) and not (ROOT / name).exists()] == []


# the checks themselves, seen to fail


@pytest.mark.parametrize(
    "drawing",
    [
        "core\n    errors\n    datasets\n    types",
        "core\n    datasets  types\n    errors",
        "core\n    datasets\n    types",
    ],
    ids=["an import that leads up", "one that leads to the same floor", "a room that is not drawn"],
)
def test_an_import_that_leads_to_no_lower_floor_is_found(drawing: str) -> None:
    assert steps_up(drawn_floors(f"```\n{drawing}\n```"), [ROOT / "core/datasets/base.py"])


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("core/studies/planning/plan.py", "from ui import services"),
        ("core/studies/planning/plan.py", "import storage.tables"),
        (
            "storage/rating/desk/given_items.py",
            "def late():\n    from ui.services.studies.study_actions import Workplace",
        ),
        ("core/metrics/fleur.py", "import torch"),
        ("core/metrics/fleur.py", "def load():\n    from transformers import AutoModel"),
        ("ui/web/frame/pages.py", "import torch.nn as nn"),
        ("ui/web/frame/pages.py", "import importlib\nimportlib.import_module('ultralytics')"),
        ("ui/web/routes/rating.py", "from sqlalchemy import select"),
        ("core/studies/results/report.py", "import sqlite3"),
        ("core/studies/results/report.py", "import gradio as gr"),
        ("storage/rating/desk/given_items.py", "from fastapi import HTTPException"),
        ("ui/services/studies/study_actions.py", "import app"),
    ],
)
def test_a_misplaced_import_is_found(path: str, code: str) -> None:
    assert len(misplaced(path, ast.parse(code))) == 1


def test_an_import_in_its_place_is_left_alone() -> None:
    assert misplaced("core/models/vlm/llava.py", ast.parse("def load():\n    import torch, transformers")) == []
    assert misplaced("ui/web/server.py", ast.parse("import gradio\nfrom storage import Repository")) == []
    assert list(loaded_at_import(ast.parse("def f():\n    import torch\nif TYPE_CHECKING:\n    import spacy"))) == []
    assert list(loaded_at_import(ast.parse("try:\n    import torch\nexcept ImportError:\n    pass"))) == [("torch", 2)]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("tests/polos_toys.py", "tests/polos_toys.py:9 imports torch"),
        ("core/models/polos/load.py", "core/models/"),
        ("ui/web/server.py", "ui/web/frame/gradio_import.py:"),
        ("core/metrics/__init__.py", None),
    ],
)
def test_an_import_that_takes_seconds_is_found_wherever_it_is(path: str, found: str | None) -> None:
    first = next(slow_imports(ROOT / path, set()), None)
    assert first == found if found is None or "imports" in found else first is not None and first.startswith(found)


@pytest.mark.parametrize(
    "handler",
    ["except:", "except Exception:", "except BaseException as e:", "except (OSError, Exception):"],
)
def test_a_handler_that_catches_everything_is_found(handler: str) -> None:
    assert broad(ast.parse(f"try:\n    pass\n{handler}\n    pass")) == [3]


@pytest.mark.parametrize(
    "call",
    [
        "gr.Markdown(text, sanitize_html=False)",
        'gr.Dataframe(rows, datatype="html")',
        'gr.Dataframe(rows, datatype=["str", "html"])',
        'gr.HTML(html_template="<b>${value}</b>")',
        'gr.HTML(html_template="<b>{{{value}}}</b>")',
    ],
)
def test_a_component_that_shows_text_as_html_is_found(call: str) -> None:
    assert unsafe_calls(ast.parse(call))


@pytest.mark.parametrize(
    "code",
    ["a.innerHTML = b", "a.outerHTML", "a.insertAdjacentHTML('x', b)", "document.write(b)", "a['innerHTML'] = b"],
)
def test_a_script_that_turns_text_into_html_is_found(code: str) -> None:
    assert SINKS.search(code)
