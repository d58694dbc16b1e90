"""Coded samples as examples for a figure."""

from fastapi.testclient import TestClient

from ui.services.workplace import Workplace


def test_an_example_has_the_explanation_of_its_own_sample_by_the_coded_metric(
    client: TestClient, workplace: Workplace
) -> None:
    for sample in (2, 5):
        workplace.repository.codings.set(sample, "M", "expert", "Ann", "others")
    chosen = {"dataset": "judged", "metric": "M", "codebook": "expert", "each": 3}
    found = client.get("/api/analyse/examples", params=chosen).json()
    assert {one["id"]: one["explanation"] for one in found} == {2: "Why 1.", 5: "Why 4."}
