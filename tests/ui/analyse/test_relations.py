"""Distributions of scores and of people, and correlations of metrics with each other."""

from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from scipy.stats import pearsonr, spearmanr

M = [(n * 7 % 30) / 30 for n in range(30)]
N = [n % 5 / 4 for n in range(30)]


def relations(client: TestClient, **query: Any) -> Any:
    return client.get("/api/analyse/relations", params={"dataset": "judged", "metric": ["M", "N"], **query}).json()


def test_distributions_are_those_of_the_rescaled_scores_and_of_people(client: TestClient) -> None:
    rows = {row["label"]: row for row in relations(client)["distributions"]["rows"]}
    assert list(rows) == ["M", "N", "people"]
    assert (rows["M"]["n"], rows["N"]["n"], rows["people"]["n"]) == (31, 32, 31)
    scores = np.array([*M, 0.5])
    assert rows["M"]["mean"] == pytest.approx(scores.mean()) and rows["M"]["sd"] == pytest.approx(scores.std(ddof=1))
    assert rows["M"]["median"] == pytest.approx(np.median(scores))
    assert rows["N"]["highest"] == pytest.approx(0.5)  # 1 on a scale from 0 to 2


def test_each_histogram_counts_every_value_once(client: TestClient) -> None:
    for one in relations(client)["bars"]:
        assert len(one["shares"]) == 20 and sum(one["shares"]) == pytest.approx(100)


def test_metrics_are_correlated_on_the_samples_that_both_scored(client: TestClient) -> None:
    (row,) = relations(client)["related"]["rows"]
    first, second = [*M, 0.5], [*N, 0.5]
    assert (row["first"], row["second"], row["n"]) == ("M", "N", 31)
    assert row["pearson"] == pytest.approx(100 * pearsonr(first, second).statistic)
    assert row["spearman"] == pytest.approx(100 * spearmanr(first, second).statistic)
    assert relations(client, metric="M")["related"]["rows"] == []
