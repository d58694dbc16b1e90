"""The shape of the house, read from the code's own imports and calls."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "storage", "ui")
SOURCES = sorted(path for folder in PACKAGES for path in (ROOT / folder).rglob("*.py")) + [ROOT / "app.py"]
SCRIPTS = sorted((ROOT / "ui" / "static").rglob("*.js"))
MAY_IMPORT = {"core": {"core"}, "storage": {"core", "storage"}, "ui": {"core", "storage", "ui"}}
MODEL_LIBRARIES = (
    *("torch", "torchvision", "transformers", "ultralytics", "spacy", "peft", "accelerate", "safetensors"),
    *("sentence_transformers", "huggingface_hub", "tokenizers", "openai"),
)
AT_HOME = {name: ("core/models", "core/training") for name in MODEL_LIBRARIES} | {  # folders that may import a library
    "sqlalchemy": ("storage",),
    "alembic": ("storage",),
    "sqlite3": ("storage",),
    "gradio": ("ui",),
    "ray": ("core/engines",),
    "fastapi": ("ui",),
    "starlette": ("ui",),
    "uvicorn": ("ui",),
    "typer": ("ui/commands", "app.py"),
}
MARKUP = re.compile(
    r"\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|setHTMLUnsafe|createContextualFragment|"
    r"\[\s*['\"`](?:inner|outer)HTML|\beval\(|new Function\(|srcdoc"
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield (dotted name, line) of everything imported anywhere in a file, `from a import b` as "a.b"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def misplaced(path: str, code: str) -> list[str]:
    """Return the imports of a file that do not belong where it stands."""
    package, found = path.split("/")[0], []
    for name, line in imports(ast.parse(code)):
        library = name.split(".")[0]
        if library in PACKAGES and library not in MAY_IMPORT.get(package, set(PACKAGES)) or library == "app":
            found.append(f"{path}:{line} imports {name}")
        if library in AT_HOME and not path.startswith(AT_HOME[library]):
            found.append(f"{path}:{line} imports {name}: only {AT_HOME[library]} may")
    return found


def broad(tree: ast.AST) -> list[int]:
    """Return the lines of handlers that catch everything and do not raise it again."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and ast.unparse(node.body[-1]) != "raise"
        and (node.type is None or re.search(r"\b(Base)?Exception\b", ast.unparse(node.type)))
    ]


def test_imports_point_inwards_and_libraries_stay_at_home() -> None:
    assert misplaced("core/x.py", "def f():\n    from ui.web import head") and misplaced("ui/x.py", "import torch.nn")
    assert [problem for path in SOURCES for problem in misplaced(name_of(path), path.read_text())] == []


def test_no_handler_catches_everything() -> None:
    assert broad(ast.parse("try:\n    f()\nexcept (OSError, Exception):\n    pass")) == [3]
    assert [f"{name_of(path)}:{line}" for path in SOURCES for line in broad(ast.parse(path.read_text()))] == []


def test_no_script_turns_text_into_html() -> None:
    assert MARKUP.search("box.innerHTML = text")
    assert [(name_of(path), hit) for path in SCRIPTS for hit in MARKUP.findall(path.read_text())] == []


def test_no_script_talks_to_another_host() -> None:
    foreign = re.compile(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"'`]+|[\"'`]//[a-z]")
    assert [(name_of(path), hit) for path in SCRIPTS for hit in foreign.findall(path.read_text())] == []
