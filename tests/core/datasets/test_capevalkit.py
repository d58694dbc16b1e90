"""capevalkit: what its metrics are given and say, in the schema of its own README."""

import json
from pathlib import Path

import pytest

from core.datasets import format_named
from core.datasets.base import Record, Source
from core.errors import BadRow
from core.types import EvaluationError, Score

PREDICTIONS = [
    {"id": "0001", "caption": "A dog runs through grass.", "image": "0001.jpg"},
    {"id": "0002", "prediction": "A person rides a bicycle.", "image": "/data/images/0002.jpg"},
]


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_predictions_references_and_results_of_one_folder_are_read_together(write, read) -> None:
    write("references.jsonl", lines([{"id": "0001", "references": ["A dog runs outside.", "A dog."]}]))
    write("clipscore.json", {"CLIPScore": 0.73, "per_item": {"0001": {"CLIPScore": 0.7, "RefCLIPScore": 0.78}}})
    write("cider.json", {"CIDEr": 2.0, "per_item": {"0001": {"CIDEr": 2.5}, "0002": {"CIDEr": 0}}})
    write("settings.json", {"jobs": 4})
    first, second = read("capevalkit", write("predictions.jsonl", lines(PREDICTIONS)))
    assert (first.key, first.references) == ("0001", ("A dog runs outside.", "A dog."))
    assert (second.image, second.candidate, second.references) == ("0002.jpg", "A person rides a bicycle.", ())
    found = {score.metric: (score.value, score.scale) for score in first.scores if isinstance(score, Score)}
    assert found["CIDEr"] == (2.5, (0.0, 10.0)) and found["CLIPScore"] == (0.7, (0.0, 2.5))
    assert found["RefCLIPScore"][0] == 0.78
    assert first.scores[0].signature == "CIDEr|source:capevalkit|capscope:0.2.0"


def test_a_score_beyond_its_scale_or_that_is_none_is_told(write, read, skim) -> None:
    path = write("predictions.jsonl", lines(PREDICTIONS[:1]))
    write("polos.json", {"per_item": {"0001": {"Polos": 71.0}}})
    with pytest.raises(BadRow, match=r"polos.json, row 1, field per_item.Polos: expected a number from 0 to 1"):
        read("capevalkit", path)
    write("polos.json", {"per_item": {"0001": 0.5, "0002": {"Polos": None}}})
    records, problems = skim("capevalkit", path)
    assert len(records) == 1 and len(problems) == 2 and records[0].scores == ()


def notes_of(path: Path) -> tuple[list[Record], list[str]]:
    notes: list[str] = []
    records = list(format_named("capevalkit").read(Source(path, on_note=notes.append)))
    return records, notes


def result(*names: str, **more: object) -> dict[str, object]:
    """Return a result as all metrics but CLIPScore write it."""
    return {name: {"score": 0.5, "per_item": {"0001": 0.25, "0002": 0.75}, **more} for name in names}


def test_results_of_all_forms_and_models_are_read_and_counted(write, tmp_path: Path) -> None:
    path = write("predictions.jsonl", lines(PREDICTIONS))
    (tmp_path / "outputs").mkdir()
    write("outputs/bleu.json", result("BLEU-1", "BLEU-4"))
    write("outputs/vela.json", result("VELA", mode="rel"))
    write("outputs/refpacscore.json", result("PAC-S", "RefPAC-S"))
    write("outputs/refpacscore-vitl.json", result("PAC-S", "RefPAC-S"))
    for metric in "clipscore", "clipscore-vitl":
        items = {key: {"CLIPScore": 0.25} for key in ("0001", "0002")}
        write(f"outputs/{metric}.json", {"CLIPScore": 0.25, "per_item": items})
    (first, _), notes = notes_of(path)
    marks = {score.signature for score in first.scores}
    assert "PAC-S|model:open_clip_ViT-L/14|source:capevalkit|capscope:0.2.0" in marks
    assert any(mark.startswith("VELA|mode:rel") for mark in marks) and len(marks) == len(first.scores) == 9
    assert notes == ["Scores: BLEU-1 2, BLEU-4 2, CLIPScore 4, PAC-S 4, RefPAC-S 4, VELA 2."]


def test_what_is_not_read_is_named_and_counted(write) -> None:
    path = write("predictions.jsonl", lines(PREDICTIONS[:1]))
    write("fleur.json", result("FLEUR"))
    write("mean.json", {"METEOR": {"score": 0.3}})
    write("run.json", {"correlations": {"kendall_tau_b": 55.1}})
    write("half.json", '{"SPICE": {')
    write("polos-2.json", {"Polos": {"score": 0.1, "per_item": {"0001": 0.1}}})
    write("polos.json", {"Polos": {"score": 0.9, "per_item": {"0001": 0.9}}})
    notes: list[str] = []
    problems: list[BadRow] = []
    (record,) = format_named("capevalkit").read(Source(path, problems.append, on_note=notes.append))
    assert [(bad.file.name, bad.expected, bad.found) for bad in problems] == [
        ("polos.json", "the same score as in polos-2.json", 0.9)
    ]
    assert {score.metric: score.value for score in record.scores if isinstance(score, Score)} == {
        "FLEUR": 0.25,
        "Polos": 0.1,
    }
    assert notes[0] == "Scores: FLEUR 1, Polos 1."
    assert any("half.json" in note and note.startswith("Not read: ") for note in notes)
    assert "Not read: run.json, because it contains no scores of individual captions." in notes
    assert "Scores of FLEUR not read: 1, because predictions.jsonl does not contain their ids." in notes


def test_a_score_without_a_number_is_an_error_and_rounding_is_none(write) -> None:
    path = write("predictions.jsonl", lines([{"id": 7, "caption": "A dog.", "image_path": "7.jpg"}]))
    write("references.jsonl", lines([{"id": 7, "captions": "A dog."}]))
    write("spice.json", '{"SPICE": {"score": 0.1, "per_item": {"7": NaN}}}')
    write("cider.json", {"CIDEr": {"score": 10.0, "per_item": {"7": 10.000000000000002}}})
    (record,), _ = notes_of(path)
    cider, spice = record.scores
    assert isinstance(cider, Score) and cider.value == 10.0 and (record.key, record.references) == ("7", ("A dog.",))
    assert isinstance(spice, EvaluationError) and spice.kind == "no_score"
