"""`score --dry-run`: what a run will take, against what it then takes."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.command_line import Run
from tests.counting_server import CountingService, Rule, at_a_rate, by_patches, by_tiles
from tests.served_llava import serving
from tests.ui.test_score_endpoint import folder_with

SAMPLES = 160
SIZES = [(200, 150), (640, 480), (480, 640), (500, 375), (1500, 1100), (900, 300), (512, 512), (333, 500), (1024, 1024)]
WORDS = "a dog runs over the wide green lawn while two children in red coats are watching from behind a fence".split()


@pytest.fixture(scope="module")
def gallery_folder(empty_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a data set of 40 pictures of many sizes, with captions of 3 to 60 words; to be copied."""
    random = np.random.default_rng(7)
    made = tmp_path_factory.mktemp("gallery")
    folder = made / "pictures"
    folder.mkdir()
    for index in range(40):
        size = SIZES[int(random.integers(len(SIZES)))]
        Image.new("RGB", size, (index, 99, 9)).save(folder / f"{index}.png")
    lengths = np.clip(random.lognormal(2.5, 0.6, SAMPLES), 3, 60).astype(int)
    lines = [
        {"image": f"{n % 40}.png", "caption": f"{n} " + " ".join(random.choice(WORDS, length).tolist())}
        for n, length in enumerate(lengths)
    ]
    (made / "gallery.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder_with(empty_folder, made / "gallery.jsonl", folder)


@pytest.fixture
def gallery(gallery_folder: Path, tmp_path: Path) -> str:
    """The data set gallery, in the data folder of the command line."""
    shutil.copytree(gallery_folder, tmp_path / "data")
    return "gallery"


@pytest.fixture(params=[by_tiles])
def service(request: pytest.FixtureRequest) -> CountingService:
    rule: Rule = request.param
    return CountingService(rule)


@pytest.fixture
def address(service: CountingService) -> Iterator[str]:
    with serving(service.app()) as url:
        yield url


def score(run: Run, url: str, *more: object) -> Any:
    return run("score", "General judge", "--dataset", "gallery", "--endpoint", url, *more)


@pytest.mark.parametrize(
    ("service", "explain"),
    [(by_tiles, ()), (by_tiles, ("--explain",)), (by_patches, ()), (at_a_rate, ())],
    indirect=["service"],
)
def test_ten_samples_tell_within_five_percent_what_the_whole_run_takes(
    run: Run, gallery: str, service: CountingService, address: str, explain: tuple[str, ...]
) -> None:
    price = ("--price", "2.5,10", "--json")
    told = score(run, address, *explain, *price, "--dry-run", "--measure", 10).json
    assert (told["samples"], told["asked"]["scored"], told["measured"]) == (SAMPLES - 10, 10, 10)
    real = score(run, address, *explain, *price).json
    assert real["scored"] == told["samples"]
    assert told["requests"] == real["usage"]["answers"]
    for part in ("prompt", "total"):  # how long a reason will be, no caption tells
        assert told["usage"][part] == pytest.approx(real["usage"][part], rel=0.05)
    assert told["money"] == pytest.approx(real["money"], rel=0.05)
    assert 0 <= told["margin"] < 0.05 and told["hours"] > 0
    assert real["usage"]["prompt"] == sum(one["prompt_tokens"] for one in service.spent[-real["usage"]["answers"] :])


def test_a_dry_run_sends_nothing(run: Run, gallery: str, service: CountingService, address: str) -> None:
    asked: list[str] = []
    for more in ((), ("--explain",), ("--option", "criteria=each", "--explain")):
        ran = score(run, address, *more, "--dry-run", "--price", "1,2")
        asked.append(ran.out)
        assert ran.code == 0 and "Nothing was sent." in ran.out and "--dry-run --measure 10" in ran.out
        assert (
            "at these prices" not in ran.out and score(run, address, *more, "--dry-run", "--json").json["usage"] is None
        )
    assert not service.spent
    assert ["160 requests" in asked[0], "320 requests" in asked[1], "960 requests" in asked[2]] == [True] * 3
    ran = run("score", "General judge", "--dataset", gallery, "--endpoint", "http://127.0.0.1:9/v1", "--dry-run")
    assert ran.code == 0  # not even looked for


def test_what_was_stored_before_is_measured_already(
    run: Run, gallery: str, service: CountingService, address: str
) -> None:
    score(run, address, "--limit", 40)
    spent = len(service.spent)
    out = score(run, address, "--dry-run", "--price", "2.5,10").out
    assert len(service.spent) == spent and "120 samples to score, about 120 requests" in out
    assert "Estimate from 40 stored results of General judge|" in out and " tokens, give or take " in out
    assert "at these prices (2.5 per million prompt tokens, 10 per" in out and "hours: unknown" in out
    assert score(run, address, "--dry-run", "--explain", "--json").json["measured"] == 0  # these cost more
    assert score(run, address, "--dry-run", "--limit", 5, "--json").json["samples"] == 5


def test_a_measurement_is_told_in_words_with_what_it_cost(run: Run, gallery: str, address: str) -> None:
    out = score(run, address, "--dry-run", "--measure", 3, "--price", "2.5,10", "--parallel", 2).out
    assert "157 samples to score" in out and "3 samples were scored for this estimate" in out
    assert "for 3 answers" in out and " seconds with 2 parallel requests (--parallel)" in out


def test_a_service_without_counts_gives_hours_and_no_tokens(
    run: Run, gallery: str, service: CountingService, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "prompt_tokens", lambda body: "many")
    told = score(run, address, "--dry-run", "--measure", 4, "--price", "1,2", "--json").json
    assert told["usage"] is None is told["money"] and told["hours"] > 0 and told["requests"] == 156
    assert "tokens: the server did not report any" in score(run, address, "--dry-run").out


@pytest.mark.parametrize(
    "more",
    [
        ("--measure", 10),
        ("--dry-run", "--verify", 2),
        ("--dry-run", "--measure", 0),
    ],
)
def test_an_estimate_that_there_is_none_of_is_refused(run: Run, gallery: str, more: tuple[object, ...]) -> None:
    ran = run("score", "General judge", "--dataset", gallery, *more)
    assert ran.code == 2 and ("--dry-run" in ran.err or "--measure" in ran.err)


def test_where_nothing_is_left_nothing_is_expected(run: Run, gallery: str, address: str) -> None:
    ran = score(run, address, "--limit", 3, "--dry-run", "--measure", 10, "--price", "1,2")
    assert ran.code == 0 and "0 samples to score, about 0 requests" in ran.out and "3 samples were scored" in ran.out
    score(run, address)
    for more in ((), ("--measure", 10)):
        ran = score(run, address, "--dry-run", *more)
        assert ran.code == 0 and "0 samples to score, about 0 requests" in ran.out and "Expected" not in ran.out
        assert score(run, address, "--dry-run", *more, "--json").json["usage"] is None


def test_a_server_that_refuses_the_samples_of_an_estimate_is_told(
    run: Run, gallery: str, service: CountingService, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = service.answered
    monkeypatch.setattr(service, "answered", lambda body: answered(body) if len(service.spent) < 1 else 1 / 0)
    ran = score(run, address, "--dry-run", "--measure", 2)
    assert ran.code == 2 and "None of 2 samples could be scored" in ran.err


def test_a_model_here_gives_hours_and_no_requests(run: Run, gallery: str, folder: Path) -> None:
    told = run("score", "FLEUR", "--dataset", gallery, "--model", folder, "--dry-run", "--measure", 2, "--json").json
    assert (told["samples"], told["requests"], told["usage"]) == (SAMPLES - 2, None, None) and told["hours"] > 0


def test_hours_are_no_fewer_than_the_limits_of_requests_and_tokens_allow(run: Run, gallery: str, address: str) -> None:
    dry = ("--dry-run", "--json")
    unmeasured = score(run, address, *dry, "--rate", 80).json
    assert (unmeasured["hours"], unmeasured["paced"]) == (pytest.approx(160 / 80 / 60), True)
    assert (
        "at least 2.0 minutes, limited by --rate or --tokens-per-min"
        in score(run, address, "--dry-run", "--rate", 80).out
    )
    two = score(run, address, *dry, "--rate", 80, "--endpoint", "http://127.0.0.1:9/v1").json
    assert two["hours"] == pytest.approx(160 / 80 / 60 / 2), "each address takes so many"
    assert score(run, address, *dry).json["hours"] is None
    measured = score(run, address, *dry, "--measure", 10).json
    assert not measured["paced"] and measured["parallel"] == 8
    by_tokens = score(run, address, *dry, "--tokens-per-min", 1000).json
    assert by_tokens["paced"] and by_tokens["hours"] == pytest.approx(by_tokens["usage"]["total"] / 1000 / 60)
    assert score(run, address, *dry, "--rate", 1_000_000_000).json["hours"] == pytest.approx(measured["hours"])


def test_requests_at_a_time_are_counted_over_all_addresses(run: Run, gallery: str, address: str) -> None:
    score(run, address, "--limit", 40, "--timings")
    one, two = (
        score(run, address, "--dry-run", "--json", *more).json for more in ((), ("--endpoint", "http://127.0.0.1:9/v1"))
    )
    assert (one["parallel"], two["parallel"]) == (8, 16) and two["hours"] == pytest.approx(one["hours"] / 2)
