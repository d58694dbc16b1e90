"""Exports of many samples: the same bytes as row by row, in few pieces, without keeping samples in memory."""

import json
from pathlib import Path

import pytest

from core.datasets.own_form import row_of
from storage.data import stored_samples
from storage.types import Search
from tests.making import HOSTILE, import_rows, rows, score
from ui.services.analysis import listing
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace

SAMPLES = 60


@pytest.fixture
def many(workplace: Workplace, tmp_path: Path) -> Workplace:
    """Sixty samples of all kinds: explained, with errors, pairs, costs and hostile texts; ten are read at a time."""
    samples = rows(SAMPLES)
    for number, row in enumerate(samples):
        if number % 3 == 0:
            row |= {"references": [f"é\u2028 {number}", HOSTILE], "judgements": [1, 2.5, number / 7]}
            row["pair"] = {"key": f"P{number}", "position": 0, "preferred": None}
        if number % 4 == 0:
            row["caption"] = f'{HOSTILE} "{number}" \\ \u202e'
            row["scores"].append({"metric": "Late", "error": {"kind": "no_score", "message": f"“{number}”"}})
        if number % 5 == 0:
            row["scores"].append(
                score(HOSTILE, 0.1 * (number % 7), signature=f"Z|{number % 2}", components={"p": [0.1, 1], "raw": -0.0})
                | {
                    "usage": {"answers": 1, "counted": 1, "prompt": number, "completion": 3, "total": number + 3},
                    "seconds": {"model": number / 3},
                }
            )
        if number % 6 == 0:
            row |= {"human": None, "scores": []}
    import_rows(workplace, tmp_path / "files", samples)
    return workplace


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_samples, "AT_A_TIME", 10)


def one_by_one(workplace: Workplace, ids: list[int]) -> str:
    """Return the list as one sample after another gives it, from all that is stored of it."""
    stored = [workplace.repository.samples.get(number) for number in ids]
    lines = (json.dumps(row_of(s.sample, s.sample.key, s.outcomes, s.pair), ensure_ascii=False) for s in stored)
    return "".join(line + "\n" for line in lines)


@pytest.mark.parametrize("falling", [False, True])
def test_many_samples_at_a_time_give_the_bytes_of_one_after_another(many: Workplace, falling: bool) -> None:
    wanted = Search("birds", metric="ZorkScore", sort="score", falling=True) if falling else Search("birds")
    ids = many.repository.samples.ids(wanted)
    assert len(ids) > 40
    pieces = list(listing.lines(Analyst(many), wanted, None))
    assert "".join(pieces) == one_by_one(many, list(ids)) and len(pieces) == -(-len(ids) // 10)


def test_samples_that_are_gone_are_left_out_and_the_others_keep_their_order(many: Workplace) -> None:
    ids = many.repository.samples.ids(Search())
    asked = [ids[3], ids[-1] + 1000, ids[1]]
    assert [one.id for one in many.repository.samples.many(asked)] == [ids[3], ids[1]]
