"""How hatchling makes the wheel: all modules move below `capscope`, and their imports change accordingly.

In the repository core, storage and ui are top-level packages. In a user's environment these common names could collide
with other packages (docs/decisions/367).
"""

import ast
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "capscope"
PLACED = ("core", "storage", "ui", "assets", "app")  # packages and modules that move below `capscope` in the wheel
_LEFT_OUT = {"__pycache__", "pictures"}  # excluded from the wheel; assets/pictures is only for the README


class Wheel(BuildHookInterface[Any]):
    """Writes the modules with changed imports into a temporary folder, and adds this folder to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to a wheel. An editable installation uses the clone itself, so it needs no files."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        root, folder = Path(self.root), Path(self._folder.name)
        for path in files(root):
            placed = folder / path.relative_to(root / PACKAGE if path.is_relative_to(root / PACKAGE) else root)
            placed.parent.mkdir(parents=True, exist_ok=True)
            placed.write_bytes(below_package(path.read_bytes()) if path.suffix == ".py" else path.read_bytes())
        build_data["force_include"][str(folder)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder from which files were added to the wheel."""
        if version != "editable":
            self._folder.cleanup()


class Requirements(MetadataHookInterface):
    """Reads dependencies and extras from the requirements files."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields that pyproject.toml lists as dynamic."""
        root = Path(self.root)
        models = stated(root / "requirements.txt")
        metadata["dependencies"] = stated(root / "requirements-rating.txt")
        metadata["optional-dependencies"] = {
            "models": models,
            "scale": stated(root / "requirements-scale.txt"),
            "train": [*models, *stated(root / "requirements-train.txt")],
        }


def files(root: Path) -> Iterator[Path]:
    """Yield the files for the wheel: modules, data and documentation, without scripts that make data or pictures."""
    yield root / "app.py"
    for folder in (PACKAGE, *PLACED[:-1], "docs"):
        for path in sorted((root / folder).rglob("*")):
            is_script = folder in ("assets", "docs") and path.suffix == ".py"
            if path.is_file() and not is_script and not _LEFT_OUT & set(path.relative_to(root).parts):
                yield path


def below_package(source: bytes) -> bytes:
    """Return a module whose imports of Capscope's packages begin with `capscope.`.

    Line numbers stay the same. Raises ValueError for `import core`, because every use of the name `core` would have to
    change too.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(_is_ours(alias.name) for alias in node.names):
            raise ValueError(f"line {node.lineno}: write `from … import …`, found `{ast.unparse(node)}`")
        if isinstance(node, ast.ImportFrom) and _is_ours(node.module or "") and not node.level:
            line, start = lines[node.lineno - 1], node.col_offset + len(b"from ")
            lines[node.lineno - 1] = line[:start] + f"{PACKAGE}.".encode() + line[start:]
    return b"".join(lines)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PLACED


def stated(file: Path) -> list[str]:
    """Return one file's requirements, without comments and options such as `-r`."""
    lines = (line.partition(" #")[0].strip() for line in file.read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith(("#", "-"))]
