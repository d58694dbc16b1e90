"""Tests must pass on every processor: none may compare rounded floats."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
ON_PURPOSE = "rounded on purpose"  # in a comment on the line: the code under test rounds, too


def rounded_comparisons(source: str) -> Iterator[int]:
    """Yield the line of each `==` or `!=` that has a call of round() with digits on one of its sides."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
            sides = [side for side in (node.left, *node.comparators) if "approx(" not in ast.unparse(side)]
            if any(_rounds(part) for side in sides for part in ast.walk(side)):
                if ON_PURPOSE not in lines[node.lineno - 1]:
                    yield node.lineno


def _rounds(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "round"


def test_no_test_compares_rounded_floats() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in TESTS.rglob("*.py")
        for line in rounded_comparisons(path.read_text(encoding="utf-8"))
    ]
    assert not found, "two sides of a rounding boundary differ: use pytest.approx with a tolerance and its reason"


def test_a_comparison_of_rounded_floats_is_found() -> None:
    source = (
        "assert round(x, 3) == y\nassert x == y\nassert (1, round(z, 2)) != w  # rounded on purpose: by the route\n"
    )
    assert list(rounded_comparisons(source)) == [1]
