"""`score`: tokens as the server counts them, stored and summed; seconds by part."""

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from core.costs import Usage, summed
from tests.command_line import Run
from tests.served_llava import ServedLlava
from tests.ui.score.test_identity import changing_after
from tests.ui.test_score_endpoint import score

# Some servers count reasoning tokens, here 100, only in the total.
STEADY = {"prompt_tokens": 700, "completion_tokens": 3, "total_tokens": 803, "prompt_tokens_details": None}


def stored(tmp_path: Path, column: str = "usage") -> list[Any]:
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        found = connection.execute(f"select {column} from scores order by id").fetchall()
    return [None if cell is None else json.loads(cell) for (cell,) in found]


def words(run: Run, dataset: str, url: str, *more: object) -> str:
    side = ("--option", "side=28")
    return run("score", "FLEUR", "--dataset", dataset, "--endpoint", url, *side, *more).out


def test_tokens_of_every_answer_are_stored_and_their_sum_is_that_of_the_server(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    told: list[dict[str, int]] = []
    answer = server.answer

    def counted(body: Any) -> Any:
        found = answer(body)
        told.append(found["usage"])
        return found

    server.answer = counted  # type: ignore[method-assign]
    ran = score(run, dataset, url, "--explain", "--limit", 8).json
    assert ran["scored"] + ran["errors"] == 8
    answers = [Usage(one["prompt_tokens"], one["completion_tokens"]) for one in told]
    found = summed(Usage(**one) for one in stored(tmp_path))
    assert found is not None and asdict(found) == ran["usage"]
    assert found in [summed(answers[first:]) for first in range(len(told) - 7)]  # the first answer the test questions


@pytest.mark.parametrize("usage", [None, {}, "lots", {"prompt_tokens": "700", "completion_tokens": 3}])
def test_tokens_that_the_server_does_not_tell_are_absent_in_words_and_in_json(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path, usage: Any
) -> None:
    server.tells = {"usage": usage}
    assert "Tokens" not in words(run, dataset, url, "--limit", 3)
    assert stored(tmp_path) == [None] * 3 and score(run, dataset, url, "--limit", 3).json["usage"] is None


def test_an_answer_that_cannot_be_read_has_its_tokens_too(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    changing_after(server, 10, choices=[{"message": {"content": "I cannot say."}, "finish_reason": "stop"}])
    ran = score(run, dataset, url, "--limit", 20, "--max-errors", 100).json
    assert ran["errors"] >= 9 and ran["scored"] >= 1
    assert len(stored(tmp_path)) == 20 and all(one["prompt"] > 0 for one in stored(tmp_path))


def test_seconds_by_part_are_stored(run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path) -> None:
    server.delay_s = 0.02
    ran = score(run, dataset, url, "--limit", 6).json
    found = stored(tmp_path, "seconds")
    assert all(one.keys() == {"picture", "model", "reading"} and one["model"] >= 0.02 for one in found)
    sums = {part: sum(one[part] for one in found) for part in ("picture", "model", "reading")}
    assert {part: ran["seconds"][part] for part in sums} == pytest.approx(sums)
    assert ran["seconds"]["load"] >= 0
    out = words(run, dataset, url, "--limit", 3)
    assert " s  loading" in out and " s  model, " in out and " s per sample" in out


def test_a_model_here_has_seconds_and_no_tokens(run: Run, dataset: str, folder: Path, tmp_path: Path) -> None:
    ran = run("score", "FLEUR", "--dataset", dataset, "--model", folder, "--limit", 5, "--json").json
    assert ran["usage"] is None and ran["scored"] + ran["errors"] == 5
    assert ran["seconds"].keys() == {"load", "picture", "model", "reading", "other"}
    found = stored(tmp_path, "seconds")
    assert sum(one["model"] for one in found) == pytest.approx(ran["seconds"]["model"])


def test_a_single_caption_tells_its_tokens_with_those_of_reasoning(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    server.tells = {"usage": STEADY}
    sample = ("--image", tmp_path / "pictures" / "0.png", "--caption", "a", "--endpoint", url, "--option", "side=28")
    told = run("score", "FLEUR", *sample, "--json").json
    assert told["usage"] == {"prompt": 700, "completion": 103}
    assert "Tokens: 700 in prompts, 103 in answers." in run("score", "FLEUR", *sample).err
