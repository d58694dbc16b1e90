"""Forecasts of new studies, by the page's route, by a command, and learned from an earlier study."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import BadSetting
from core.studies.planning.published_ratings import TYPICAL
from tests.command_line import Run, command_line
from tests.making import import_rows, make_study, rating, rows
from ui.services.studies.forecasts import PlanQuestion, rating_models, study_forecast
from ui.services.workplace import Workplace

ASKED = {"items": 60, "ratings_per_item": 3, "items_per_rater": 30, "hourly_rate": 9.0, "difference": 0.2}


def test_the_page_gets_raters_cost_and_power(client: TestClient) -> None:
    found = client.post("/api/studies/forecast", json=ASKED).json()
    assert (found["forecast"]["raters"], found["forecast"]["item_ratings"]) == (6, 180)
    assert found["forecast"]["pay"] == pytest.approx(6 * found["forecast"]["pay_each"])
    assert found["source"] == TYPICAL[0].source
    (row,) = found["rows"]
    assert 0 < row["power"] < 1
    (eighty, of_eighty), (ninety, of_ninety) = row["needed"]
    assert (eighty, ninety) == (0.8, 0.9)
    assert 6 <= of_eighty < of_ninety


def test_items_that_show_one_metric_each_count_as_the_samples_that_they_compare(client: TestClient) -> None:
    together = client.post("/api/studies/forecast", json=ASKED | {"items": 20}).json()["rows"][0]
    alone = client.post("/api/studies/forecast", json=ASKED | {"items": 60, "samples": 20}).json()["rows"][0]
    assert alone["power"] == together["power"]
    assert [number for _, number in alone["needed"]] == [3 * number for _, number in together["needed"]]


def test_without_a_difference_nothing_is_simulated(client: TestClient) -> None:
    found = client.post("/api/studies/forecast", json=ASKED | {"difference": None}).json()
    assert (found["rows"], found["source"]) == ([], "")


def test_a_difference_above_the_scale_is_said_in_words_with_the_forecast(client: TestClient) -> None:
    found = client.post("/api/studies/forecast", json=ASKED | {"difference": 3.0}).json()
    assert found["rows"][0]["power"] is None
    assert "must be below 0.28" in found["rows"][0]["note"]
    assert found["forecast"]["raters"] == 6


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"items": 0}, 400),
        ({"drop_out": 1.0}, 400),
        ({"like": "no such study"}, 404),
        ({"metrics": 11}, 200),  # a note in the row
        ({"items": 10**12}, 400),
        ({"practice": 10**9}, 400),
        ({"hourly_rate": -1}, 400),
        ({"item_seconds": 1e300}, 400),
    ],
)
def test_impossible_questions_are_refused_in_words(client: TestClient, change: dict[str, Any], status: int) -> None:
    answer = client.post("/api/studies/forecast", json=ASKED | change)
    assert answer.status_code == status, answer.text


def test_an_unknown_source_is_told_which_typical_ratings_there_are(client: TestClient) -> None:
    answer = client.post("/api/studies/forecast", json=ASKED | {"like": "nobody"})
    assert "explanations, captions" in answer.text


def test_a_study_lends_the_spread_of_its_ratings(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, rows(12))
    study = make_study(workplace, form="side_by_side")
    repository = workplace.repository
    assert rating_models(workplace, study) == []
    with pytest.raises(BadSetting, match="too few ratings"):
        study_forecast(workplace, PlanQuestion(items=9, ratings_per_item=3, like="demo", difference=0.2))
    for code, answers in (("A1", (2, 4)), ("A2", (2, 4)), ("A3", (3, 4))):  # A3 differs on every second sample
        rater = repository.raters.add(code)
        items = sorted(repository.desk.queue(study.id, rater, 1, 20).items, key=lambda item: item.caption)
        for place, item in enumerate(items):
            point = answers[place % 2]
            repository.save(rater, [rating(item, point=point, panel=panel.place) for panel in item.panels])
    ((criterion, model),) = rating_models(workplace, study)
    assert (criterion, model.shares) == ("consistency", pytest.approx((0, 1 / 3, 1 / 6, 1 / 2)))
    # points 2, 2, 3 and 4, 4, 4 about the mean 19/6: products of two raters 23/36 on average, variance 29/36
    assert model.same_explanation == pytest.approx(23 / 29)
    found = study_forecast(workplace, PlanQuestion(items=9, ratings_per_item=3, like="demo", difference=0.2))
    assert [(row.criterion, row.highest) for row in found.rows] == [("consistency", 4)]
    assert "demo" in found.source


def test_the_command_says_what_the_page_says(run: Run, client: TestClient) -> None:
    asked = "--items 60 --raters-per-item 3 --items-per-rater 30 --rate 9 --difference 0.2".split()
    assert run("study", "plan", *asked, "--json").json == client.post("/api/studies/forecast", json=ASKED).json()
    words = run("study", "plan", *asked).out
    assert "180 item ratings by 6 raters" in words
    assert "60 items show a difference of 0.2 points with" in words


def test_page_and_command_say_what_the_raters_at_hand_can_rate(run: Run, client: TestClient) -> None:
    assert client.post("/api/studies/forecast", json=ASKED).json()["coverage"] is None
    found = client.post("/api/studies/forecast", json=ASKED | {"raters": 5}).json()["coverage"]
    assert (found["item_ratings"], found["ratings_per_item"], found["items_with_more"], found["items"]) == (
        150,
        2,
        30,
        50,
    )
    words = run("study", "plan", *"--items 60 --raters-per-item 3 --items-per-rater 30 --raters 5 --rate 9".split()).out
    assert "If you invite 5 raters: 150 item ratings." in words
    assert "50 of 60 items get all the ratings that you want." in words
    assert "Each item gets" not in words
    assert client.post("/api/studies/forecast", json=ASKED | {"raters": 0}).status_code == 400


def test_the_command_counts_the_reward_and_says_how_many_raters_are_enough(run: Run) -> None:
    asked = "--items 30 --raters-per-item 3 --items-per-rater 9 --raters 30 --rate 9 --reward 20".split()
    words = run("study", "plan", *asked).out
    assert "30 of 30 items get all the ratings that you want.\n10 raters are enough." in words
    assert "Pay: 20.00 for each rater, 200.00 in total." in words


def test_a_preview_and_a_forecast_have_the_same_minutes(client: TestClient) -> None:
    draft = {"name": "planned", "dataset": "birds", "form": "guided-single"}
    plan = client.post("/api/studies/preview", json=draft).json()
    asked = {"items": plan["items"], "ratings_per_item": 1, "practice": 2}
    asked |= {"item_seconds": plan["workload"]["item_seconds"], "opening_seconds": plan["opening_seconds"]}
    found = client.post("/api/studies/forecast", json=asked).json()["forecast"]
    assert found["announced"] == plan["workload"]["minutes"]


def test_the_forms_own_practice_check_and_criteria_are_counted(run: Run) -> None:
    plain = run("study", "plan", "--items", "60", "--form", "expert-single", "--json").json["forecast"]
    guided = run("study", "plan", "--items", "60", "--form", "guided-single", "--json").json["forecast"]
    assert (plain["each"]["practice"], guided["each"]["practice"]) == (0, 2)
    assert guided["minutes"] > plain["minutes"] + 2 * 30 / 60  # the check and the example take time as well
    none = run("study", "plan", "--items", "60", "--form", "guided-single", "--practice", "0", "--json").json
    assert none["forecast"]["each"]["practice"] == 0
    assert "not both" not in run("study", "plan", "--items", "60", "--form", "guided-single").out
    assert run("study", "plan", "--items", "60", "--form", "nobody").code != 0


def test_a_preview_counts_the_practice_of_the_form(client: TestClient) -> None:
    draft = {"name": "planned", "dataset": "birds"}
    plain = client.post("/api/studies/preview", json=draft | {"form": "expert-single"}).json()
    guided = client.post("/api/studies/preview", json=draft | {"form": "guided-single"}).json()
    assert (plain["workload"]["practice"], guided["workload"]["practice"]) == (0, 2)
    assert "+ 2 practice" in guided["workload"]["words"]
    assert guided["opening_seconds"] > plain["opening_seconds"] == 90


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return command_line(tmp_path, capsys)
