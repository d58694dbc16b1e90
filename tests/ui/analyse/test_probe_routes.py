"""Probes over the routes of Analyse: ready metrics, falls of scores, limits, progress and cancelling."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import BadSetting
from core.types import ImageRef, Sample
from tests.ui.conftest import client_of

CAPTIONS = ("Two men in red hats sit on a bench.", "A dog runs on a beach.", "A woman stands near a bus 🚌.")


@pytest.fixture
def named(import_file: Callable[[list[dict[str, Any]]], str]) -> str:
    """Three captions, each with itself and another text as references."""
    return import_file(
        [
            {"id": str(at), "image": f"{at}.png", "caption": caption, "references": [caption, f"Picture number {at}."]}
            for at, caption in enumerate(CAPTIONS)
        ]
    )


def test_only_metrics_that_can_score_now_are_offered(site: Any, named: str) -> None:
    ready = client_of(site.app).get("/api/analyse/probe/metrics", params={"dataset": named}).json()
    assert {"BLEU-4", "CIDEr"} <= set(ready) and "FLEUR" not in ready and "HICE-S" not in ready


def test_a_probe_returns_falls_and_examples_with_the_places_of_edits(site: Any, named: str) -> None:
    asked = {"dataset": named, "metric": ["BLEU-1", "CIDEr"], "limit": 10}
    found = client_of(site.app).get("/api/analyse/probe", params=asked).json()
    exchanged = next(row for row in found["falls"]["rows"] if row["kind"] == "object exchanged")
    assert (exchanged["metric"], exchanged["n"], exchanged["fell"]) == ("BLEU-1", 3, 1.0)
    for one in found["examples"]["rows"]:
        (start, end), (new, last) = one["before_spans"][-1], one["after_spans"][-1]
        assert one["caption"][end:] == one["edited"][last:]  # the same text follows the edit
        assert one["caption"][start:end] != one["edited"][new:last]


@pytest.mark.parametrize("wrong", [{"limit": 501}, {"limit": 0}, {"metric": ["BLEU-1"] * 6}, {"seed": -1}])
def test_a_probe_larger_than_the_servers_limits_is_refused(site: Any, named: str, wrong: dict[str, Any]) -> None:
    answer = client_of(site.app).get("/api/analyse/probe", params={"dataset": named, "metric": "BLEU-1", **wrong})
    assert answer.status_code in (400, 422)


def test_an_unknown_metric_or_data_set_is_named(site: Any, named: str) -> None:
    client: TestClient = client_of(site.app)
    assert "BLEU-9" in client.get("/api/analyse/probe", params={"dataset": named, "metric": "BLEU-9"}).text
    assert client.get("/api/analyse/probe", params={"dataset": "none", "metric": "BLEU-1"}).status_code == 404


def test_a_picture_without_regions_among_others_is_no_score_and_no_failure(
    import_file: Callable[[list[dict[str, Any]]], str], site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run over the data set gives these samples an error; a probe does the same and loads no other model."""
    judge, asked = site.app.state.dependencies.judge, list[bool]()
    monkeypatch.setattr(site.workplace.repository.samples, "has_regions", lambda _: True)

    def settings(metric: Any, annotated: bool, explain: bool) -> Any:
        asked.append(annotated)
        raise BadSetting("no more is needed here")

    monkeypatch.setattr(judge, "_settings", settings)
    sample = Sample("a", ImageRef("a.png"), "A dog runs.")
    dataset = import_file([{"id": "a", "image": "a.png", "caption": "A dog runs."}])
    with pytest.raises(BadSetting):
        list(judge.outcomes("HICE-S", [sample], dataset))
    assert asked == [True]


def test_missing_weights_are_named_to_the_page(site: Any, named: str) -> None:
    answer = client_of(site.app).get("/api/analyse/probe", params={"dataset": named, "metric": "CLIPScore"})
    assert answer.status_code == 400 and "clip-vit-base-patch32 is not on this computer" in answer.json()["detail"]
