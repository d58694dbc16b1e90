"""Who wrote each caption, stored with its sample: imported, filled in, told apart, copied, searched and exported."""

from pathlib import Path

import pytest

from core.analysis.slices import Slice
from core.datasets.own_form import line_of
from core.errors import BadRow
from storage.types import Search, StoredSample
from tests.making import import_rows, rows
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace


def stored(workplace: Workplace, dataset: str = "birds", **wanted: str) -> tuple[StoredSample, ...]:
    return workplace.repository.samples.search(Search(dataset, **wanted), 0, 100).samples


def captioners(workplace: Workplace, dataset: str = "birds") -> list[str | None]:
    return [one.sample.system for one in stored(workplace, dataset)]


def test_a_captioner_is_stored_and_exported(workplace: Workplace, tmp_path: Path) -> None:
    first, second = rows(2)
    import_rows(workplace, tmp_path, [first | {"system": "vinvl <b>"}, second])
    assert captioners(workplace) == ["vinvl <b>", None]
    ids = workplace.repository.samples.ids(Search("birds"))
    for found in (stored(workplace), list(workplace.repository.samples.many(ids))):
        lines = [line_of(one.sample, None, one.outcomes, one.pair) for one in found]
        assert ['"system": "vinvl <b>"' in line for line in lines] == [True, False]
    unscored = workplace.repository.scores.unscored("birds", "Other")
    assert [one.sample.system for one in unscored] == ["vinvl <b>", None]


def test_a_later_import_names_the_captioner_of_a_stored_sample(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, rows(2))
    import_rows(workplace, tmp_path, [row | {"system": "vinvl"} for row in rows(2)])
    assert captioners(workplace) == ["vinvl", "vinvl"]


def test_another_captioner_of_a_stored_sample_is_a_contradiction(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, [rows(1)[0] | {"system": "vinvl"}])
    with pytest.raises(BadRow, match="vinvl.*blip") as refused:
        import_rows(workplace, tmp_path, [rows(1)[0] | {"system": "blip"}])
    assert refused.value.field == "system"
    assert captioners(workplace) == ["vinvl"]


def test_two_captioners_may_write_the_same_caption_of_a_picture(workplace: Workplace, tmp_path: Path) -> None:
    (row,) = rows(1)
    del row["id"], row["scores"]
    both = [row | {"system": "vinvl"}, row | {"system": "blip"}]
    for _ in range(2):  # the second import finds both again
        import_rows(workplace, tmp_path, both)
        assert captioners(workplace) == ["vinvl", "blip"]


def test_copies_of_a_data_set_keep_captioners(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, [row | {"system": f"model {number}"} for number, row in enumerate(rows(3))])
    workplace.repository.copy_samples("birds", workplace.repository.samples.ids(Search("birds")), "copy")
    assert captioners(workplace, "copy") == ["model 0", "model 1", "model 2"]


def test_lists_and_slices_are_filtered_by_captioner(workplace: Workplace, tmp_path: Path) -> None:
    systems = ("vinvl", "blip", None, "vinvl")
    import_rows(workplace, tmp_path, [row | {"system": one} for row, one in zip(rows(4), systems, strict=True)])
    keys = [one.sample.key for one in stored(workplace, system="vinvl")]
    assert keys == ["secretkey-0", "secretkey-3"]
    analyst = Analyst(workplace)
    assert analyst.mask("birds", Slice("by one", system="vinvl")).tolist() == [True, False, False, True]
    assert not analyst.mask("birds", Slice("by nobody", system="v")).any()
    assert workplace.repository.analysis.captioner_names("birds") == ("blip", "vinvl")


def test_captioners_of_other_data_sets_do_not_count(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path / "a", [rows(1)[0] | {"system": "vinvl"}], "other")
    import_rows(workplace, tmp_path / "b", rows(2))
    assert workplace.repository.analysis.captioner_names("birds") == ()
    import_rows(workplace, tmp_path / "c", [row | {"system": f"m{n}"} for n, row in enumerate(rows(2))], "two")
    told = {one.name: one.captioners for one in workplace.repository.analysis.scored_datasets()}
    assert told == {"other": False, "birds": False, "two": True}
    assert all(type(one) is bool for one in told.values())
    assert Analyst(workplace).table("birds").samples["captioner"].isna().all()
