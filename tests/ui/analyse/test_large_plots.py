import base64
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from ui.services.workplace import Workplace

PART = {"left": 0, "right": 1, "bottom": 0, "top": 1}


def unpack(text: str, kind: str) -> list[Any]:
    return np.frombuffer(base64.b64decode(text), dtype=kind).tolist()  # type: ignore[no-any-return]


def known(workplace: Workplace, slice_name: str | None = None) -> tuple[Any, Any, Any]:
    table = workplace.repository.analysis.table("judged")
    value, human = table.metrics["M"].value, table.human
    both = np.isfinite(value) & np.isfinite(human) & ((human >= 0.5) if slice_name else True)
    return table.ids[both], value[both], human[both]


@pytest.fixture
def sliced(client: TestClient) -> str:
    body = {"dataset": "judged", "slice": {"name": "good", "human": {"low": 0.5}}}
    assert client.put("/api/analyse/slices", json=body).status_code == 200
    return "good"


@pytest.mark.parametrize("of_slice", [False, True])
def test_counts_are_those_of_the_samples_in_sight_and_few_samples_come_one_by_one(
    client: TestClient, workplace: Workplace, sliced: str, of_slice: bool
) -> None:
    ids, xs, ys = known(workplace, sliced if of_slice else None)
    query = {"dataset": "judged", "x": "M", **PART, "right": 0.5, **({"slice": sliced} if of_slice else {})}
    found = client.get("/api/analyse/density", params=query).json()
    shown = xs <= 0.5
    assert (found["samples"], found["shown"]) == (len(ids), int(shown.sum()))
    counts = np.reshape(unpack(found["counts"], "<i4"), (len(found["up"]), len(found["across"])))
    for row, level in enumerate(found["up"]):
        assert counts[row].sum() == np.isclose(ys[shown], level).sum()
    assert counts.sum() == shown.sum()
    assert unpack(found["points"]["ids"], "<i4") == ids[shown].tolist()
    assert unpack(found["points"]["x"], "<f4") == pytest.approx(xs[shown].tolist())


def test_many_samples_in_sight_come_as_counts_only(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.web.routes.large_plots.MOST_POINTS", 5)
    found = client.get(
        "/api/analyse/density", params={"dataset": "judged", "x": "M", "y": "N", **PART, "top": 2}
    ).json()
    assert found["points"] is None
    assert sum(unpack(found["counts"], "<i4")) == found["shown"] == found["samples"] > 5


def test_a_click_finds_the_nearest_samples_and_a_line_all_within_it(
    client: TestClient, workplace: Workplace, sliced: str
) -> None:
    ids, xs, ys = known(workplace)
    query = {"dataset": "judged", "x": "M", **PART, "at_x": xs[3], "at_y": ys[3]}
    assert client.get("/api/analyse/around", params=query).json()["ids"][0] == ids[3]
    corners = [[0.11, -0.1], [0.61, -0.1], [0.61, 1.1], [0.11, 1.1]]
    lasso = {"x": {"metric": "M", "raw": False}, "y": None, "corners": corners}
    body = {"dataset": "judged", "lasso": lasso}
    found = client.post("/api/analyse/lasso", json=body).json()
    within = (xs > 0.11) & (xs < 0.61)
    assert unpack(found["ids"], "<i4") == ids[within].tolist()
    saved = client.put("/api/analyse/slices", json={"dataset": "judged", "slice": {"name": "line", "lasso": lasso}})
    assert saved.status_code == 200
    slices = client.get("/api/analyse/slices", params={"dataset": "judged"}).json()["slices"]
    assert {one["slice"]["name"]: one["samples"] for one in slices}["line"] == found["samples"] == within.sum()
    of_slice = client.post("/api/analyse/lasso", json={**body, "slice": sliced}).json()
    assert unpack(of_slice["ids"], "<i4") == ids[within & (ys >= 0.5)].tolist()


def test_the_spread_of_scores_is_that_of_each_group(client: TestClient, workplace: Workplace) -> None:
    found = client.get("/api/analyse/spread", params={"dataset": "judged", "metric": ["M", "N"]}).json()
    assert found["names"] == ["1", "2", "3", "4"]
    ids, xs, ys = known(workplace)
    metric = found["metrics"][0]
    of, values = unpack(metric["of"], "i1"), unpack(metric["value"], "<f4")
    level, value = zip(*sorted(zip(np.rint(3 * ys).astype(int).tolist(), xs.tolist(), strict=True)), strict=True)
    assert of == list(level)
    assert values == pytest.approx(list(value))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"left": 1}, "left < right"),
        ({"top": -1}, "left < right"),
        ({"x": "Z"}, "no scores of 'Z'"),
        ({"left": "nan"}, ""),
        ({"left": -1e308, "right": 1e308}, "from -1e+15 to 1e+15"),
        ({"bottom": -1e308, "top": 1e308}, "from -1e+15 to 1e+15"),
        ({"right": 5e-324}, "too narrow"),
        ({"bottom": 1e14, "top": 1e14 + 0.5}, "too narrow"),
        ({"slice": "none"}, "no slice 'none'"),
    ],
)
def test_a_part_of_a_plot_that_is_none_is_refused(client: TestClient, changes: dict[str, Any], words: str) -> None:
    answer = client.get("/api/analyse/density", params={"dataset": "judged", "x": "M", **PART, **changes})
    assert 400 <= answer.status_code < 500
    assert words in answer.json()["detail"]
    place = {"at_x": 0, "at_y": 0}
    answer = client.get("/api/analyse/around", params={"dataset": "judged", "x": "M", **PART, **changes, **place})
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("largest", [1.0, 1e15])
def test_the_widest_and_the_narrowest_part_of_a_plot_have_different_cells(client: TestClient, largest: float) -> None:
    for left, right in ((-largest, largest), (largest - 2e-12 * largest, largest), (0, 1e-99)):
        part = {**PART, "left": left, "right": right}
        answer = client.get("/api/analyse/density", params={"dataset": "judged", "x": "M", **part})
        assert answer.status_code == 200
        if not answer.json()["shown"]:
            assert len(set(answer.json()["across"])) == 60


@pytest.mark.parametrize("place", [{"at_x": 1e308, "at_y": 0.5}, {"at_x": 0.5, "at_y": -1e308}])
def test_a_place_far_off_the_part_in_sight_is_refused(client: TestClient, place: dict[str, float]) -> None:
    answer = client.get("/api/analyse/around", params={"dataset": "judged", "x": "M", **PART, **place})
    assert answer.status_code == 400 and "position on a plot's axis" in answer.json()["detail"]
