from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

import core.benchmarks.figures
from core.benchmarks.correlation import DRAWS, Observations, correlate
from core.datasets import benchmark_named
from core.datasets.base import Record
from core.errors import NotFound
from core.types import ImageRef, Pair, Score
from tests.tau_difference import tau_difference
from tests.ui.analyse.conftest import record
from tests.ui.analyse.test_correlations_and_errors import get
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.correlation import correlate_dataset
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.workplace import Workplace

EXPERT = benchmark_named("flickr8k-expert")


def add(workplace: Workplace, dataset: str, records: list[Record]) -> None:
    workplace.repository.add_records(dataset, records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many observations each bootstrap was asked for that has been drawn."""
    asked: list[int] = []
    draw = core.benchmarks.figures.draw

    def counting(data: Observations, draws: int = DRAWS, *rest: Any) -> Any:
        if draws:
            asked.append(len(data.score))
        return draw(data, draws, *rest)

    monkeypatch.setattr(core.benchmarks.figures, "draw", counting)
    return asked


def test_metrics_that_scored_the_same_samples_are_compared_as_if_drawn_for_the_pair(
    client: TestClient, workplace: Workplace, draws: list[int]
) -> None:
    values = [(n % 4 / 3, (n * 7 % 30) / 30, n % 5 / 4) for n in range(30)]
    add(workplace, "both", [record(n, *one) for n, one in enumerate(values)])
    rows = get(client, "correlations", dataset="both", metric=["M", "N"], benchmark="flickr8k-expert")
    [found] = [row for row in rows["differences"]["rows"] if (row["tau"], row["second"]) == ("c", "N")]
    assert draws == [90, 90, 90]  # M smoothed, M raw, N: none for the pair
    human, first, second = (np.repeat(column, 3) for column in np.array(values).T)
    names = np.repeat([f"{n}.jpg" for n in range(30)], 3)
    expected = tau_difference(Observations(first, 1 + 3 * human, names), second, "c")
    assert expected.difference and expected.interval
    assert (found["first"], found["second"], found["n"]) == ("M", "N", 90)
    assert found["difference"] == pytest.approx(100 * expected.difference)
    ends = (100 * expected.interval.low, 100 * expected.interval.high)
    assert (found["ci_low"], found["ci_high"], found["p"]) == (*map(pytest.approx, ends), expected.p)
    [smoothed, *_] = get(client, "correlations", dataset="both", metric="M", benchmark="flickr8k-expert")["taus"][
        "rows"
    ]
    alone = correlate(Observations(first, 1 + 3 * human, names), EXPERT, "M").as_json()
    ends = (alone.pop("ci_low"), alone.pop("ci_high"))
    assert ends == (smoothed["tau_c_low"], smoothed["tau_c_high"])
    assert smoothed | {k: v for k, v in alone.items() if k != "ci_of"} == smoothed
    assert len(draws) == 3  # the page drew nothing more


def test_figures_are_drawn_once_while_the_data_stay(client: TestClient, workplace: Workplace, draws: list[int]) -> None:
    first = get(client, "correlations", metric=["M", "N"])
    once = len(draws)
    assert once == 4  # M smoothed and raw, N, and N on the samples that M has scored, too
    assert get(client, "correlations", metric=["M", "N"]) == first
    assert len(draws) == once
    add(workplace, "judged", [record(40, 1.0, 0.1)])
    assert get(client, "correlations", metric=["M", "N"])["taus"]["rows"][0]["n"] == 93
    assert len(draws) == 2 * once


def bare(number: int, metric: str, human: float, judgements: tuple[float, ...] = ()) -> Record:
    image = f"{metric}{number}.jpg"
    scores = (Score(metric, (number * 3 % 7) / 7, metric),)
    return Record(
        Path("f"), number, image, f"caption {number}", human=human, judgements=judgements, key=image, scores=scores
    )


def test_one_rule_holds_for_a_data_set_whichever_metrics_are_looked_at(
    client: TestClient, workplace: Workplace
) -> None:
    mean = [bare(n, "A", n / 6) for n in range(6)]
    single = [bare(n, "B", n / 6, (n, n + 1)) for n in range(4)]
    add(workplace, "mixed", mean + single)
    found = [
        get(client, "correlations", dataset="mixed", metric=names)["taus"]["rows"] for names in (["A", "B"], ["B"])
    ]
    assert [(row["metric"], row["n"]) for row in found[0]] == [("A", 0), ("B", 8)]
    assert found[0][1] == found[1][0]
    rows = correlate_dataset(workplace, "mixed", ["B"], None)[0].taus
    assert [(row.metric, row.n) for row in rows] == [("B", 8)]


def test_samples_that_no_metric_scored_do_not_decide_the_rule(client: TestClient, workplace: Workplace) -> None:
    pair = replace(bare(9, "A", 0.5), pair=Pair("HC#1", 0, 0, "HC"), scores=())
    add(workplace, "paired", [*(bare(n, "A", n / 4) for n in range(4)), pair])
    assert [row.n for row in correlate_dataset(workplace, "paired", [], None)[0].taus] == [4]
    assert [row["n"] for row in get(client, "correlations", dataset="paired", metric="A")["taus"]["rows"]] == [4]


def test_an_import_in_the_middle_of_a_request_is_told(workplace: Workplace) -> None:
    desk = AgreementDesk(Analyst(workplace))
    dataset, _, stamp = desk._part("judged", None)
    of_32 = np.ones(32, dtype=bool).tobytes()
    add(workplace, "judged", [record(41, 0.5, 0.5)])
    with pytest.raises(NotFound, match="scores of judged have just changed"):
        desk._figures("judged", (dataset, of_32, stamp), ())
    figures = desk._figures("judged", desk._part("judged", None), ())
    with pytest.raises(NotFound, match="scores of judged have just changed"):
        desk._check("judged", figures.columns, ["gone"])
    assert len(figures.columns["M"].sample) == 32
