"""Every kind of filter beside a naive reading of the database, sample by sample; every figure follows."""

import re
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from core.analysis.caption_words import PHRASE_KINDS
from core.types import Score
from storage.types import Search, StoredSample
from tests.ui.analyse.asking import members, section, table
from tests.ui.analyse.test_slices_and_studies import rated_study
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace

OF = {"dataset": "judged"}
FILTERS: list[dict[str, Any]] = [
    {"metric": "M", "score": {"low": 0.2, "high": 0.6}},
    {"metric": "N", "error": {"low": 0.3}},
    {"words": {"low": 2, "high": 3}},
    {"human": {"low": 0.3, "high": 0.7}},
    {"phrase": "number"},
    {"code": "expert/others"},
    {"criterion": "factuality", "rating": {"high": 2.5}},
    {"criterion": "factuality", "rating": {"low": 2.0}, "metric": "M", "error": {"low": 0.1}, "phrase": "number"},
]


def is_in(wanted: dict[str, float], value: float | None) -> bool:
    return value is not None and wanted.get("low", -np.inf) <= value <= wanted.get("high", np.inf)


def naive(workplace: Workplace, study: int, wanted: dict[str, Any]) -> set[int]:
    """Return the ids of the samples that meet the conditions, read one by one."""
    records = list(workplace.repository.studies.records(study))
    stored = workplace.repository.samples.search(Search("judged"), 0, 100).samples
    return {one.id for one in stored if all(meets(name, c, one, wanted, records) for name, c in wanted.items())}


def meets(name: str, c: Any, stored: StoredSample, wanted: dict[str, Any], records: list[Any]) -> bool:
    sample = stored.sample
    chosen = next((o for o in stored.outcomes if o.metric == wanted.get("metric") and isinstance(o, Score)), None)
    if name == "score":
        return is_in(c, chosen and chosen.value)
    if name == "error":
        known = chosen is not None and sample.human is not None
        return known and is_in(c, abs((chosen.value / chosen.scale[1]) - sample.human))
    if name == "words":
        return is_in(c, len(sample.candidate.split()))
    if name == "human":
        return is_in(c, sample.human)
    if name == "phrase":
        return re.search(rf"\b({PHRASE_KINDS[c]})\b", sample.candidate, re.IGNORECASE) is not None
    if name == "code":
        return stored.id in (2, 5)
    if name == "rating":
        of = [r.rating for r in records if r.sample == sample.key and r.criterion == wanted["criterion"] and r.rating]
        return is_in(c, sum(of) / len(of) if of else None)
    return name in ("metric", "criterion")


@pytest.mark.parametrize("wanted", FILTERS, ids=lambda wanted: "-".join(wanted))
def test_a_filter_holds_what_a_naive_reading_finds(
    client: TestClient, workplace: Workplace, wanted: dict[str, Any]
) -> None:
    study = rated_study(workplace)
    for sample in (2, 5):
        workplace.repository.codings.set(sample, "M", "expert", "Ann", "others")
    body = {**OF, "slice": {"name": "s", **wanted}}
    assert client.put("/api/analyse/slices", json=body).status_code == 200
    expected = naive(workplace, study, wanted)
    assert expected
    found = workplace.repository.analysis.table("judged")
    mask = Analyst(workplace).chosen("judged", "s")
    assert mask is not None and set(found["id"][mask].tolist()) == expected and members(client, "s") == len(expected)
    figures_follow(client, expected)


def figures_follow(client: TestClient, expected: set[int]) -> None:
    part = {**OF, "metric": "M", "slice": "s"}
    judged = expected - {31, 32}  # the one was not judged, the other has no score by M
    assert section(client, "errors", **part)["total"] == len(judged)
    assert len(client.get("/api/analyse/data.csv", params=part).text.splitlines()) == len(expected) + 1
    answer = client.get("/api/analyse/section/agreement", params=part)
    if answer.status_code == 200:
        assert {row["captions"] for row in table(answer.json(), "τ × 100")} == {str(len(judged))}
    else:
        assert answer.status_code == 400 and not judged


def test_a_new_rating_is_seen_by_the_next_filter(client: TestClient, workplace: Workplace) -> None:
    wanted = {"criterion": "factuality", "rating": {"low": 1}}
    client.put("/api/analyse/slices", json={**OF, "slice": {"name": "s", **wanted}})
    assert members(client, "s") == 0
    study = rated_study(workplace)
    assert members(client, "s") == len(naive(workplace, study, wanted)) > 0
