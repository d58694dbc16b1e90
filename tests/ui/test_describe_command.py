"""`describe`: data sets side by side, with numbers worked by hand."""

import json
from pathlib import Path

import pytest

from tests.command_line import Run, command_line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """A data folder with one judged data set, and one that nobody judged."""
    made = command_line(tmp_path / "data", capsys)
    rows = [
        {"id": str(at), "image": f"{at % 2}.png", "caption": caption, "human": human, "system": "BLIP"}
        for at, (caption, human) in enumerate(
            [("A dog", 0.0), ("A dog runs fast", 0.5), ("Dogs", 1.0), ("A b c", None)]
        )
    ]
    for name, lines in (("judged", rows), ("plain", [{"id": "x", "image": "x.png", "caption": "One two"}])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
        assert made("import", "jsonl", tmp_path / f"{name}.jsonl").code == 0
    return made


def test_sizes_lengths_and_judgements_are_those_of_the_data(run: Run) -> None:
    judged, plain = run("describe", "judged", "plain", "--json").json
    assert (judged["samples"], judged["images"], judged["captioners"], judged["judged"]) == (4, 2, 1, 3)
    assert (judged["words"], judged["shortest"], judged["median_words"], judged["longest"]) == (2.5, 1, 2.5, 4)
    assert (judged["human"], judged["human_sd"]) == (0.5, 0.5)
    assert [judged[part] for part in ("low", "middle", "high")] == pytest.approx([1 / 3] * 3)
    assert (plain["judged"], plain["human"], plain["low"], plain["words_sd"], plain["captioners"]) == (
        0,
        *[None] * 3,
        0,
    )


def test_all_data_sets_are_described_by_default_and_an_unknown_one_is_named(run: Run) -> None:
    assert [row["dataset"] for row in run("describe", "--json").json] == ["judged", "plain"]
    assert "judged" in run("describe").out and r"\begin{table" in run("describe", "--latex").out
    unknown = run("describe", "birds")
    assert unknown.code == 2 and "birds" in unknown.err
