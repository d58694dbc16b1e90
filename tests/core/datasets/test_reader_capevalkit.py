"""capevalkit: what its metrics are given and say, in the schema of its own README."""

import json
from pathlib import Path

import pytest

from core.errors import BadRow
from core.types import Score

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


def test_a_kit_without_anything_beside_is_samples_alone(write, read, tmp_path: Path) -> None:
    (record,) = read("capevalkit", write("mine.jsonl", lines(PREDICTIONS[:1])))
    assert record.scores == () and record.references == ()
