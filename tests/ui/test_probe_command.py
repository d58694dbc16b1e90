"""`probe`: edited captions, their falls and examples, on the command line."""

import json
from pathlib import Path

import pytest

from tests.command_line import Run, command_line

CAPTIONS = (
    "Two men in red hats sit on a bench.",
    "A dog runs on a beach.",
    "A woman with a blue bag stands near a bus.",
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    return command_line(tmp_path / "data", capsys)


@pytest.fixture
def dataset(run: Run, tmp_path: Path) -> str:
    """Three captions, each with itself and another text as references."""
    rows = [
        {"id": str(at), "image": f"{at}.png", "caption": caption, "references": [caption, f"Picture number {at}."]}
        for at, caption in enumerate(CAPTIONS)
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert run("import", "jsonl", tmp_path / "mine.jsonl").code == 0
    return "mine"


def test_scores_of_captions_that_equal_a_reference_fall_under_every_edit(run: Run, dataset: str) -> None:
    found = run("probe", "BLEU-1", "cider", "--dataset", dataset, "--json").json
    rows = {(row["metric"], row["kind"]): row for row in found["falls"]["rows"]}
    assert len(rows) == 2 * 8
    exchanged = rows["BLEU-1", "object exchanged"]
    assert (exchanged["n"], exchanged["fell"], exchanged["before"]) == (3, 1.0, pytest.approx(1.0))
    assert exchanged["fall_low"] <= exchanged["fall"] <= exchanged["fall_high"] and exchanged["fall"] > 0.05
    assert rows["BLEU-1", "words shuffled"]["same"] == 1.0  # BLEU-1 ignores the order, CIDEr does not
    assert rows["CIDEr", "words shuffled"]["fell"] == 1.0
    example = found["examples"]["rows"][0]
    assert example["caption"] in CAPTIONS and example["edited"] != example["caption"]
    assert found["signatures"]["CIDEr"].startswith("CIDEr|corpus:mine, 3 pairs")


def test_a_probe_is_repeatable_and_depends_on_its_seed(run: Run, dataset: str) -> None:
    def probed(seed: int) -> object:
        return run("probe", "BLEU-1", "--dataset", dataset, "--seed", seed, "--json").json["examples"]

    assert probed(1) == probed(1) != probed(2)


def test_references_are_probed_instead_of_captions(run: Run, dataset: str) -> None:
    found = run("probe", "BLEU-1", "--dataset", dataset, "--references", "--limit", 2, "--json").json
    assert found["captions"] == 2
    assert max(row["before"] or 0 for row in found["falls"]["rows"]) < 0.5  # the caption itself is no reference now


def test_an_absent_score_is_counted_and_its_reason_is_told(run: Run, dataset: str, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "4", "image": "4.png", "caption": "A cat sits."}))
    assert run("import", "jsonl", tmp_path / "more.jsonl", "--dataset", dataset).code == 0
    found = run("probe", "BLEU-1", "--dataset", dataset)
    assert "BLEU-1 gave no score before or after" in found.err and "4 has none" in found.err
    padded = run("probe", "BLEU-1", "--dataset", dataset, "--json").json["falls"]["rows"][-1]
    assert (padded["n"], padded["unscored"]) == (3, 1)


def test_missing_weights_end_the_probe_with_the_way_to_get_them(run: Run, dataset: str) -> None:
    found = run("probe", "CLIPScore", "--dataset", dataset)
    assert found.code == 2 and "models fetch CLIPScore" in found.err


def test_a_wrong_metric_is_reported_before_any_work(run: Run, dataset: str) -> None:
    found = run("probe", "BLEU-9", "--dataset", dataset)
    assert found.code == 2 and "Did you mean BLEU-" in found.err


def test_tables_and_examples_are_printed(run: Run, dataset: str) -> None:
    found = run("probe", "BLEU-4", "--dataset", dataset).out
    assert "BLEU-4 on mine" in found and "relation changed" in found and "BLEU-4, object added: 1.000 →" in found
    assert r"\begin{table" in run("probe", "BLEU-4", "--dataset", dataset, "--latex").out
