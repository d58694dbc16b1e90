"""The benchmark of waiting raters finds each save that was lost."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.waiting import make_rated_study, this_process
from ui.services.workplace import Workplace


def test_saves_of_raters_are_counted_and_a_lost_one_is_found(workplace: Workplace, tmp_path: Path) -> None:
    make_rated_study(workplace, tmp_path / "rated")
    with this_process(workplace.repository, workplace.data_dir, raters=2, pause_s=0) as raters:
        pass
    waits = raters.waits()
    assert len(waits.milliseconds) >= 2 and waits.is_sound
    assert 0 < waits.p99 <= waits.longest
    invented = json.dumps({"key": "never stored", "ms": 1.0, "refused": None})
    (Path(raters.folder.name) / "9.jsonl").write_text(f'{invented}\n{{"key": "half a li')
    assert raters.waits().lost == 1


def test_refused_saves_are_told(workplace: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_rated_study(workplace, tmp_path / "rated")
    monkeypatch.setattr("tests.benchmarks.waiting._save", lambda *_: ("key", "no room"))
    with this_process(workplace.repository, workplace.data_dir, raters=1, pause_s=0) as raters:
        pass
    assert set(raters.waits().failed) == {"no room"}
