"""`score --to-requests` and `--from-responses`: a data set judged by files, answered as vLLM's batch mode answers."""

import json
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.command_line import Run, command_line
from tests.served_llava import ServedLlava, served_llava
from tests.toy_llava import shared_toy_llava

SAMPLES = 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_toy_llava(tmp_path_factory)


@pytest.fixture
def server(folder: Path) -> ServedLlava:
    return served_llava(folder)


@pytest.fixture
def run(tmp_path: Path, server: ServedLlava, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Run:
    """The command line, for a model whose digits are the toy's tokens."""
    monkeypatch.setattr("core.models.vlm.batch.LLAMA_DIGITS", server.vlm.decoding.digits)
    return command_line(tmp_path / "data", capsys)


@pytest.fixture
def toys(tmp_path: Path, run: Run) -> str:
    """A data set of seven samples, one of which lacks its picture."""
    random = np.random.default_rng(1)
    for index in range(3):
        Image.fromarray(random.integers(0, 255, (20, 30, 3), dtype=np.uint8)).save(tmp_path / f"{index}.png")
    lines = [{"image": f"{n % 3}.png", "caption": f"caption {n}"} for n in range(SAMPLES - 1)]
    lines.append({"image": "gone.png", "caption": "a"})
    (tmp_path / "toys.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert run("import", "jsonl", tmp_path / "toys.jsonl", "--images", tmp_path).code == 0
    return "toys"


def exchange(run: Run, *more: object) -> Any:
    model = ("--endpoint-model", "llava", "--option", "side=28", "--json")
    return run("score", "FLEUR", "--dataset", "toys", *model, *more).json


def answer(server: ServedLlava, requests: Iterable[Path], to: Path) -> Path:
    """Do what `vllm run-batch` does."""
    lines = [json.loads(line) for path in sorted(requests) for line in path.read_text().splitlines()]
    answers = []
    for line in lines:
        body = server.answer(line["body"] | {"max_tokens": min(line["body"]["max_tokens"], 24)})
        response = {"status_code": 200, "request_id": "vllm-batch-1", "body": body}
        answers.append({"id": "vllm-1", "custom_id": line["custom_id"], "response": response, "error": None})
    to.write_text("".join(json.dumps(one) + "\n" for one in answers))
    return to


def stored(tmp_path: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        return connection.execute("select sample_id, signature, value, error_kind from scores order by 1, 2").fetchall()


def test_requests_are_lines_of_the_batch_form_in_files_of_bounded_length(run: Run, toys: str, tmp_path: Path) -> None:
    report = exchange(run, "--to-requests", tmp_path / "one", "--limit-lines", 3)
    assert (report["written"], report["awaiting"], report["errors"]) == (6, 6, {"missing_image": 1})
    names = [path.name for path in sorted((tmp_path / "one").iterdir())]
    assert names == ["requests-00001.jsonl", "requests-00002.jsonl"]
    lines = [json.loads(line) for name in names for line in (tmp_path / "one" / name).read_text().splitlines()]
    assert len({line["custom_id"] for line in lines}) == 6
    first = lines[0]
    assert (first["method"], first["url"]) == ("POST", "/v1/chat/completions")
    assert first["body"]["model"] == "llava" and len(first["body"]["logprob_token_ids"]) == 10
    assert re.fullmatch("score-[0-9a-f]{40}", first["custom_id"])


def test_scores_that_came_by_files_are_those_of_the_model_here_and_coming_twice_changes_nothing(
    run: Run, toys: str, server: ServedLlava, folder: Path, tmp_path: Path
) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    answers = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    report = exchange(run, "--from-responses", answers)
    assert (report["scored"], report["awaiting"]) == (6, 0)
    before = stored(tmp_path)
    again = exchange(run, "--from-responses", answers)
    assert (again["scored"], again["known"]) == (0, 7) and stored(tmp_path) == before
    assert again["foreign"]["count"] == again["repeated"]["count"] == 0
    assert run("score", "FLEUR", "--dataset", "toys", "--model", folder).code == 0
    by_engine: dict[bool, list[float]] = {True: [], False: []}
    for _, signature, value, _ in stored(tmp_path):
        if value is not None:
            by_engine["|engine:batch|" in signature].append(value)
    assert by_engine[True] == pytest.approx(by_engine[False], abs=1e-6) and len(by_engine[True]) == 6


def test_a_file_that_was_cut_is_told_and_the_whole_one_is_taken_later(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path
) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    whole = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    half = tmp_path / "half.jsonl"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    report = exchange(run, "--from-responses", half)
    assert report["broken"] == {str(half): 1} and 0 < report["scored"] < 6
    assert exchange(run, "--from-responses", whole)["scored"] == 6 - report["scored"]


def by_caption(data: Path) -> dict[str, float]:
    with sqlite3.connect(data / "capscope.db") as connection:
        query = "select candidate, value from scores join samples on samples.id = sample_id where value is not null"
        return dict(connection.execute(query).fetchall())


def test_answers_reach_their_captions_in_another_folder_with_the_data_set_imported_in_reverse(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path, capsys: Any
) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    answers = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    answers.write_text("\n".join(sorted(answers.read_text().splitlines())))
    exchange(run, "--from-responses", answers)
    expected = by_caption(tmp_path / "data")
    assert len(set(expected.values())) > 2
    other = command_line(tmp_path / "other", capsys)
    reverse = (tmp_path / "toys.jsonl").read_text().splitlines()[::-1]
    (tmp_path / "reverse").mkdir()
    (tmp_path / "reverse" / "toys.jsonl").write_text("\n".join(reverse))
    assert other("import", "jsonl", tmp_path / "reverse" / "toys.jsonl", "--images", tmp_path).code == 0
    report = exchange(other, "--from-responses", answers)
    assert (report["scored"], report["foreign"]["count"]) == (6, 0)
    assert by_caption(tmp_path / "other") == expected


def test_answers_to_other_captions_and_pictures_are_named_and_not_used(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path, capsys: Any
) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    answers = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    other = command_line(tmp_path / "other", capsys)
    (tmp_path / "toys.jsonl").write_text((tmp_path / "toys.jsonl").read_text().replace("caption 4", "A cat!"))
    Image.new("RGB", (30, 20), (9, 99, 9)).save(tmp_path / "0.png")  # the picture of captions 0 and 3
    assert other("import", "jsonl", tmp_path / "toys.jsonl", "--images", tmp_path).code == 0
    report = exchange(other, "--from-responses", answers)
    assert (report["scored"], report["awaiting"], report["foreign"]["count"]) == (3, 3, 3)
    assert set(by_caption(tmp_path / "other")) == {"caption 1", "caption 2", "caption 5"}
    named = {re.fullmatch(r"answers.jsonl, line \d: (score-\w+)", one) for one in report["foreign"]["examples"]}
    ids = {json.loads(line)["custom_id"] for line in answers.read_text().splitlines()}
    assert len(named) == 3 and all(match and match[1] in ids for match in named)
    score = ("score", "FLEUR", "--dataset", "toys", "--endpoint-model", "llava", "--option", "side=28")
    assert "3 answers belong to no request of this data set" in other(*score, "--from-responses", answers).out


def test_of_repeated_answers_the_first_counts_unless_it_is_an_error(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path
) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    answers = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    first, second = (json.loads(line) for line in answers.read_text().splitlines()[:2])
    failed = {"custom_id": first["custom_id"], "response": {"status_code": 500, "body": {}}, "error": None}
    changed = {"custom_id": second["custom_id"], "response": failed["response"] | {"status_code": 200}}
    changed["response"]["body"] = first["response"]["body"] | {"choices": []}
    extra = tmp_path / "extra.jsonl"
    extra.write_text(f"{json.dumps(failed)}\n")
    later = tmp_path / "later.jsonl"
    later.write_text(f"{json.dumps(changed)}\n")
    given = [word for path in (extra, answers, later) for word in ("--from-responses", path)]
    report = exchange(run, *given)
    assert (report["scored"], report["foreign"]["count"]) == (6, 0)
    assert report["repeated"]["count"] == 2 and report["repeated"]["examples"][1].startswith("later.jsonl, line 1: ")


def test_samples_that_ask_the_same_share_one_request_and_its_answer(
    run: Run, server: ServedLlava, tmp_path: Path
) -> None:
    Image.new("RGB", (30, 20), (9, 99, 9)).save(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes((tmp_path / "a.png").read_bytes())
    lines = [{"image": f"{name}.png", "caption": "a dog", "id": name} for name in "ab"]
    (tmp_path / "toys.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert run("import", "jsonl", tmp_path / "toys.jsonl", "--images", tmp_path).code == 0
    report = exchange(run, "--to-requests", tmp_path / "one")
    assert (report["written"], report["awaiting"]) == (1, 2)
    answers = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    assert exchange(run, "--from-responses", answers)["scored"] == 2


def test_answers_to_requests_with_row_numbers_are_refused_with_the_way_out(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path
) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    answers = answer(server, (tmp_path / "one").iterdir(), tmp_path / "answers.jsonl")
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    lines[3]["custom_id"] = "4.score.0123abcd"
    answers.write_text("\n".join(map(json.dumps, lines)))
    ran = run("score", "FLEUR", "--dataset", "toys", "--endpoint-model", "llava", "--from-responses", answers)
    assert ran.code == 2 and "line 4" in ran.err and "Write new requests with --to-requests" in ran.err
    assert not by_caption(tmp_path / "data")


def test_explanations_are_a_second_round(run: Run, toys: str, server: ServedLlava, tmp_path: Path) -> None:
    exchange(run, "--explain", "--to-requests", tmp_path / "one")
    first = answer(server, (tmp_path / "one").iterdir(), tmp_path / "first.jsonl")
    report = exchange(run, "--explain", "--from-responses", first, "--to-requests", tmp_path / "two")
    assert (report["scored"], report["awaiting"], report["written"]) == (0, 6, 6)
    second = answer(server, (tmp_path / "two").iterdir(), tmp_path / "second.jsonl")
    both = ("--from-responses", first, "--from-responses", second)
    assert exchange(run, "--explain", *both)["scored"] == 6
    asked = [json.loads(line) for line in (tmp_path / "two" / "requests-00001.jsonl").read_text().splitlines()]
    said = asked[0]["body"]["messages"]
    assert [message["role"] for message in said] == ["user", "assistant", "user"] and said[1]["content"].startswith(
        "0."
    )


def test_an_answer_that_is_a_refusal_is_an_outcome_in_its_words(run: Run, toys: str, tmp_path: Path) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    line = json.loads((tmp_path / "one" / "requests-00001.jsonl").read_text().splitlines()[0])
    refused = {"status_code": 400, "body": {"error": {"message": "image too odd"}}}
    (tmp_path / "answers.jsonl").write_text(json.dumps({"custom_id": line["custom_id"], "response": refused}))
    model = ("--endpoint-model", "llava", "--option", "side=28", "--json")
    ran = run("score", "FLEUR", "--dataset", "toys", *model, "--from-responses", tmp_path / "answers.jsonl")
    report = json.loads(ran.out)
    assert report["errors"] == {"refused": 1} and report["awaiting"] == 5 and ran.code == 3


def test_mistakes_are_told(run: Run, toys: str, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("{}\n")
    score = ("score", "FLEUR", "--dataset", "toys")
    for arguments, words in (
        ((*score, "--to-requests", tmp_path / "x"), "Add --endpoint-model NAME"),
        ((*score, "--endpoint-model", "m", "--to-requests", tmp_path), "is not empty"),
        ((*score, "--endpoint-model", "m", "--from-responses", tmp_path / "empty.jsonl"), 'with "custom_id"'),
        (("score", "HICE-S", "--dataset", "toys", "--to-requests", tmp_path / "x"), "HICE-S runs on this computer"),
        ((*score, "--endpoint", "http://a/v1", "--to-requests", tmp_path / "x"), "do not work with --endpoint"),
    ):
        ran = run(*arguments)
        assert ran.code == 2 and words in ran.err, ran.err


def test_files_are_no_larger_than_a_service_takes(run: Run, toys: str, tmp_path: Path) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    (whole,) = (tmp_path / "one").iterdir()
    lines = whole.read_bytes().splitlines(keepends=True)
    largest = (max(map(len, lines)) * 2 + 10) / 1e6  # two requests, never three
    report = exchange(run, "--to-requests", tmp_path / "two", "--limit-mb", largest)
    files = sorted((tmp_path / "two").iterdir())
    assert report["written"] == 6 and len(files) == 3
    assert all(path.stat().st_size <= largest * 1e6 for path in files)
    assert b"".join(path.read_bytes() for path in files) == whole.read_bytes()


def test_a_request_that_no_file_can_hold_is_counted_and_not_written(run: Run, toys: str, tmp_path: Path) -> None:
    exchange(run, "--to-requests", tmp_path / "one")
    (whole,) = (tmp_path / "one").iterdir()
    sizes = sorted(map(len, whole.read_bytes().splitlines(keepends=True)))
    report = exchange(run, "--to-requests", tmp_path / "two", "--limit-mb", (sizes[-1] - 1) / 1e6)
    assert report["too_large"] == sizes.count(sizes[-1]) and report["written"] == 6 - report["too_large"]
    ran = run("score", "FLEUR", "--dataset", "toys", "--endpoint-model", "llava", "--option", "side=28",
              "--to-requests", tmp_path / "three", "--limit-mb", 0.001)  # fmt: skip
    assert "6 requests are larger than --limit-mb and were not written" in ran.out
    assert not (tmp_path / "three").exists()


def test_the_size_of_a_file_may_be_unlimited(run: Run, toys: str, tmp_path: Path) -> None:
    report = exchange(run, "--to-requests", tmp_path / "one", "--limit-mb", "inf")
    assert report["written"] == 6 and len(report["files"]) == 1


def test_what_still_waits_is_listed_with_its_file_and_line(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path
) -> None:
    exchange(run, "--to-requests", tmp_path / "one", "--limit-lines", 2)
    first, second, third = sorted((tmp_path / "one").iterdir())
    answers = answer(server, [first], tmp_path / "answers.jsonl")
    report = exchange(run, "--from-responses", answers, "--waiting", tmp_path / "one")
    names = {json.loads(text)["custom_id"]: (path.name, line) for path in (second, third)
             for line, text in enumerate(path.read_text().splitlines(), 1)}  # fmt: skip
    assert {one["request"]: (one["file"], one["line"]) for one in report["waiting"]} == names
    assert report["written"] == 0 and len({one["sample"] for one in report["waiting"]}) == 4
    third.unlink()
    (tmp_path / "one" / "folder.jsonl").mkdir()
    score = ("score", "FLEUR", "--dataset", "toys", "--endpoint-model", "llava", "--option", "side=28")
    shown = run(*score, "--waiting", tmp_path / "one").out
    assert "2 wait in requests-00002.jsonl: " in shown and "(line 1)" in shown
    assert "2 wait in no file of this folder" in shown
    ran = run(*score, "--waiting", tmp_path / "nowhere")
    assert ran.code == 2 and "contains no requests" in ran.err


def told(answers: Path, to: Path, **fields: str) -> Path:
    """Let answers say more of their model."""
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    for line in lines:
        line["response"]["body"] |= fields
    to.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return to


def test_answers_of_two_models_are_refused_or_signed_apart(
    run: Run, toys: str, server: ServedLlava, tmp_path: Path
) -> None:
    exchange(run, "--to-requests", tmp_path / "one", "--limit-lines", 3)
    one, two = sorted((tmp_path / "one").iterdir())
    first = told(answer(server, [one], tmp_path / "a.jsonl"), tmp_path / "a1.jsonl", system_fingerprint="fp_1")
    second = told(answer(server, [two], tmp_path / "b.jsonl"), tmp_path / "b1.jsonl", system_fingerprint="fp_2")
    score = ("score", "FLEUR", "--dataset", "toys", "--endpoint-model", "llava", "--option", "side=28")
    ran = run(*score, "--from-responses", first, "--from-responses", second)
    assert ran.code == 2 and "fp_1 (3 answers)" in ran.err and "fp_2 (3 answers)" in ran.err
    assert not [row for row in stored(tmp_path) if row[2] is not None]
    assert exchange(run, "--from-responses", first)["scored"] == 3
    ran = run(*score, "--from-responses", second)
    assert ran.code == 2 and "stored before with the signature" in ran.err
    report = exchange(run, "--from-responses", second, "--on-change", "new-signature")
    assert (report["scored"], report["known"], report["awaiting"]) == (3, 4, 0)
    signatures = {row[1] for row in stored(tmp_path) if row[2] is not None}
    assert len(signatures) == 2 and all("|fingerprint:fp_" in one for one in signatures)
    assert exchange(run, "--to-requests", tmp_path / "more")["written"] == 0


def test_a_model_that_is_asked_by_its_folder_is_signed_without_it(run: Run, toys: str, tmp_path: Path) -> None:
    command = ("score", "FLEUR", "--dataset", "toys", "--endpoint-model", "/home/jana/models/llava", "--json")
    report = run(*command, "--to-requests", tmp_path / "one").json
    assert "|model:llava|" in report["signature"] and "jana" not in report["signature"]
    line = json.loads((tmp_path / "one" / "requests-00001.jsonl").read_text().splitlines()[0])
    assert line["body"]["model"] == "/home/jana/models/llava"


def test_tokens_of_answers_in_files_are_stored_and_summed_once_for_samples_that_share_one(
    run: Run, server: ServedLlava, tmp_path: Path
) -> None:
    Image.new("RGB", (30, 20), (9, 99, 9)).save(tmp_path / "a.png")
    asked = [("a", "a dog"), ("b", "a dog"), ("c", "a cat")]
    lines = [{"image": "a.png", "caption": caption, "id": name} for name, caption in asked]
    (tmp_path / "toys.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert run("import", "jsonl", tmp_path / "toys.jsonl", "--images", tmp_path).code == 0
    assert exchange(run, "--to-requests", tmp_path / "requests")["written"] == 2
    server.tells = {"usage": {"prompt_tokens": 600, "completion_tokens": 4}}
    answers = answer(server, (tmp_path / "requests").glob("*.jsonl"), tmp_path / "answers.jsonl")
    found = exchange(run, "--from-responses", answers, "--price", "1,10")
    assert found["scored"] + sum(found["errors"].values()) == 3
    assert (found["usage"]["answers"], found["usage"]["total"]) == (2, 2 * 604)
    assert found["money"] == pytest.approx(2 * 640e-6)
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        usages = [json.loads(cell) for (cell,) in connection.execute("select usage from scores where usage notnull")]
    assert len(usages) == 2 and sum(one["total"] for one in usages) == 2 * 604
    assert exchange(run, "--from-responses", answers)["usage"] is None  # nothing new came
