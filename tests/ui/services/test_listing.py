"""The list of samples as a page and as a file that can be imported again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis.slices import Range, Slice
from core.errors import BadSetting, NotFound
from core.regions import masks
from core.types import EvaluationError, Explanation, ImageRef, ImageRegion, Phrase, Region, Score
from storage.types import Search, StoredSample
from tests.making import import_rows, rows
from ui.services.analysis import listing
from ui.services.analysis.analyst import Analyst
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

PAIR = {"key": "HC#1", "position": 0, "preferred": 1, "category": "HC"}


@pytest.fixture
def analyst(birds: Workplace, tmp_path: Path) -> Analyst:
    """Six birds of which one has regions, phrases, an error and a pair."""
    import_rows(birds, tmp_path, [rows(7)[6] | {"pair": PAIR, "human": None}])
    full = masks.encode(np.ones((48, 64), dtype=bool))
    birds.repository.annotate("birds", {"secretpicture-6.png": (ImageRegion(full, (48, 64), "bird"),)}, ("bird", "cat"))
    region = Region(full, (48, 64), "bird", False, 0.9, 0, True)
    shown = Explanation({}, (Phrase("bird", (0, 4), 0.9, 0, "correct"),), (region,), 0.5, "labels")
    birds.repository.scores.save(7, Score("HICE-S", 0.5, "HICE-S|a", (0.0, 2.0), {"p": (0.5, 0.5)}, shown))
    birds.repository.scores.save(7, EvaluationError("Polos", "Polos|a", "missing_references", "It has none."))
    return Analyst(birds)


def told(stored: StoredSample) -> tuple[object, ...]:
    """What a sample is, without its numbers in the database and where its picture lies."""
    sample = replace(stored.sample, image=replace(stored.sample.image, path=None))
    return sample, stored.outcomes, stored.pair


def test_an_exported_list_is_imported_as_it_was_but_for_regions(
    birds: Workplace, analyst: Analyst, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.data.stored_samples.AT_A_TIME", 3)
    path = tmp_path / "list.jsonl"
    path.write_text("".join(listing.lines(analyst, Search("birds"), None)), encoding="utf-8")
    import_files(birds, "jsonl", [path], "again", [tmp_path])
    search = birds.repository.samples.search
    before, after = (search(Search(name), 0, 9).samples for name in ("birds", "again"))
    assert [told(one)[2] for one in after] == [told(one)[2] for one in before]
    bare = [replace(one, explanation=Explanation()) if one.metric == "HICE-S" else one for one in before[6].outcomes]
    assert after[6].outcomes == tuple(bare)
    for old, new in zip(before[:6], after[:6], strict=True):  # whose pictures are not in that folder
        assert (new.outcomes, new.sample) == (old.outcomes, replace(old.sample, image=ImageRef(old.sample.image.name)))


def test_a_list_of_several_data_sets_tells_their_samples_apart(birds: Workplace, tmp_path: Path) -> None:
    import_rows(birds, tmp_path, rows(1), "more")
    lines = "".join(listing.lines(Analyst(birds), Search(text="number 0."), None)).splitlines()
    assert ['"id": "birds/secretkey-0"' in lines[0], '"id": "more/secretkey-0"' in lines[1]] == [True, True]


def test_a_slice_is_a_filter_of_its_data_set(birds: Workplace, analyst: Analyst) -> None:
    birds.repository.slices.save("birds", Slice("high", human=Range(0.7)))
    found = listing.page(analyst, Search("birds", text="number"), "high", 0, 9, None)
    assert [one.sample.human for one in found.samples] == [0.8, 1.0]
    with pytest.raises(NotFound, match="Slices: high"):
        listing.page(analyst, Search("birds"), "low", 0, 9, None)
    with pytest.raises(BadSetting, match="Choose the data set first"):
        listing.page(analyst, Search(), "high", 0, 9, None)
