"""Ask for sections of Analyse over HTTP, and read their tables by their heads."""

from typing import Any

from fastapi.testclient import TestClient

OF = {"dataset": "judged"}


def section(client: TestClient, key: str, **query: object) -> Any:
    answer = client.get(f"/api/analyse/section/{key}", params={**OF, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, key: str, **query: object) -> str:
    answer = client.get(f"/api/analyse/section/{key}", params={**OF, **query})
    assert answer.status_code in (400, 404), answer.text
    return str(answer.json()["detail"])


def table(found: Any, title: str) -> list[dict[str, str]]:
    """Return the rows of the table whose title contains some words; key: head; value: the text of the cell."""
    one = _named(found, title)
    return [dict(zip(one["heads"], (cell["text"] for cell in line), strict=True)) for line in one["lines"]]


def exact(found: Any, title: str) -> list[dict[str, float]]:
    """Return the exact numbers of a table's rows."""
    one = _named(found, title)
    rows = [zip(one["heads"], line, strict=True) for line in one["lines"]]
    return [{head: float(cell["exact"]) for head, cell in row if is_number(cell["exact"])} for row in rows]


def _named(found: Any, title: str) -> Any:
    every = found["tables"]
    (one,) = [one for one in every if one["title"] == title] or [one for one in every if title in one["title"]]
    return one


def is_number(text: str) -> bool:
    try:
        return bool(text) and float(text) == float(text)
    except ValueError:
        return False


def save(client: TestClient, name: str, **conditions: Any) -> None:
    answer = client.put("/api/analyse/slices", json={**OF, "slice": {"name": name, **conditions}})
    assert answer.status_code == 200, answer.text


def members(client: TestClient, name: str) -> int:
    listed = client.get("/api/analyse/slices", params=OF).json()["slices"]
    return int(next(one["samples"] for one in listed if one["slice"]["name"] == name))
