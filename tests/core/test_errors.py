import ast
from pathlib import Path

import core.errors

ROOT = Path(__file__).parents[2]


def test_every_error_raised_on_purpose_is_in_one_module() -> None:
    known = {name for name, kind in vars(core.errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    elsewhere = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for package in ("core", "storage", "ui")
        for path in (ROOT / package).rglob("*.py")
        if path != Path(core.errors.__file__)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id in known for base in node.bases)
    ]
    assert elsewhere == []
