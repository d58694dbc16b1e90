"""`correlate` with files: scores find their judgements, and samples that do not count are named."""

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import kendalltau

from core.errors import BadRow, BadSetting
from ui.services.analysis.correlating import of_files

HUMAN = [0.1, 0.9, 0.5, 0.7, 0.3]


def judgements(folder: Path) -> Path:
    rows = [{"imgid": f"{n}.jpg", "mt": f"a dog {n}", "refs": [], "score": score} for n, score in enumerate(HUMAN)]
    (folder / "nebula.json").write_text(json.dumps(rows))
    return folder / "nebula.json"


def scores(folder: Path, *rows: tuple[str, str, dict[str, Any]], name: str = "own.jsonl") -> Path:
    lines = [{"image": image, "caption": caption, "scores": [{"metric": "M"} | of]} for image, caption, of in rows]
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / name


def test_scores_find_their_judgements_in_any_order_and_what_is_missing_is_told(tmp_path: Path) -> None:
    unmade = ("3.jpg", "a dog 3", {"error": {"kind": "no_score", "message": "no number"}})
    unknown = ("9.jpg", "a cow", {"value": 0.9})
    scored = [("x/2.png", "a dog  2", {"value": 0.3}), ("0.jpg", "a dog 0", {"value": 0.2}), unmade]
    scored += [("1.jpg", "a dog 1", {"value": 0.4}), unknown]
    file = scores(tmp_path, *scored)
    found = of_files("nebula", judgements(tmp_path), [file, file])
    (row,) = found.tables[0].rows
    assert row["captions"] == 3 and row["tau_b"] == pytest.approx(100.0)
    assert found.notes[:3] == [
        "2 judged samples have no score and are excluded.",
        "1 scored samples have no judgement and are excluded.",
        "1 scores could not be computed and are excluded.",
    ]
    other = scores(tmp_path, ("0.jpg", "a dog 0", {"value": 0.1}), name="other.jsonl")
    with pytest.raises(BadRow, match="the same score as before"):
        of_files("nebula", judgements(tmp_path), [file, other])
    for row, told in ((unmade, "None of the 1 scores"), (unknown, r"No scored sample .* \(1 scored, 5 judged\)")):
        with pytest.raises(BadSetting, match=told):
            of_files("nebula", judgements(tmp_path), [scores(tmp_path, row, name="one.jsonl")])
    with pytest.raises(BadSetting, match="have no human judgements, which nebula needs"):
        of_files("nebula", None, [file])


def block(image: str, caption: str, score: float) -> str:
    return f"image file : {image}\ncaption : {caption}\nmodel score : 0.5\nour score : {score}\n\n"


def test_samples_alike_take_their_scores_in_order_or_share_one(tmp_path: Path) -> None:
    alike = [{"imgid": "0.jpg", "mt": "a dog", "refs": [], "score": score} for score in (0.1, 0.9, 0.5)]
    (tmp_path / "n.json").write_text(json.dumps(alike))
    (tmp_path / "f.txt").write_text("".join(block("0.jpg", "a dog", score) for score in (0.3, 0.4, 0.2)))
    row, _ = of_files("nebula", tmp_path / "n.json", [tmp_path / "f.txt"]).tables[0].rows
    assert row["captions"] == 3
    assert row["tau_b"] == pytest.approx(100 * kendalltau([0.3, 0.4, 0.2], [0.1, 0.9, 0.5]).statistic)
    (row,) = (
        of_files("nebula", tmp_path / "n.json", [scores(tmp_path, ("0.jpg", "a dog", {"value": 0.3}))]).tables[0].rows
    )
    assert row["captions"] == 3


def test_pairs_have_the_labels_of_the_scores_file_or_else_of_the_judgements(tmp_path: Path) -> None:
    item = {"image": "0.jpg", "captions": ["a dog", "a cat"], "label": 1, "references": []}
    (tmp_path / "p.json").write_text(json.dumps({"HC": [item], "MM": [item]}))
    text = block("0.jpg", "a dog", 0.9).replace(" file", "") + block("0.jpg", "a cat", 0.1).partition("\n")[2]
    labelled = tmp_path / "fleur_pascal_HC.txt"
    labelled.write_text(text.replace("caption", "label : 0\ncaption", 1))
    own = scores(tmp_path, ("0.jpg", "a dog", {"value": 0.9}), ("0.jpg", "a cat", {"value": 0.1}))
    for given, file, accuracies in (
        (None, labelled, {"HC": 100.0}),
        (tmp_path / "p.json", labelled, {"HC": 100.0}),
        (tmp_path / "p.json", own, {"HC": 0.0, "MM": 0.0}),
    ):
        rows = [row for row in of_files("pascal50s", given, [file]).tables[0].rows if row["variant"] != "raw"]
        assert {row["category"]: row["accuracy"] for row in rows} == accuracies
