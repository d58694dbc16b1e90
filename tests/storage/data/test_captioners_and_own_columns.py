"""Who wrote each caption, and values of own columns: imported, filled in, told apart, exported, filtered by."""

from pathlib import Path
from typing import Any

import pytest

from core.analysis.slices import OwnValue, Slice
from core.datasets.own_form import line_of
from core.errors import BadRow
from storage.types import Search, StoredSample
from tests.making import import_rows, rows
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace

SYSTEMS = ("vinvl <b>", "blip", None, "vinvl <b>")
OWN: tuple[dict[str, str], ...] = ({"split": "train"}, {"split": "test", "fold": "2"}, {}, {"split": "test"})


def stored(workplace: Workplace, dataset: str = "birds", **wanted: str) -> tuple[StoredSample, ...]:
    return workplace.repository.samples.search(Search(dataset, **wanted), 0, 100).samples


def told(workplace: Workplace, dataset: str = "birds") -> list[tuple[str | None, dict[str, str]]]:
    return [(one.sample.system, dict(one.sample.own)) for one in stored(workplace, dataset)]


def put(workplace: Workplace, folder: Path) -> None:
    more = [{"system": system, "own": own} for system, own in zip(SYSTEMS, OWN, strict=True)]
    given = [row | {name: value for name, value in of.items() if value} for row, of in zip(rows(4), more, strict=True)]
    import_rows(workplace, folder, given)


def test_both_are_stored_filled_in_and_exported(workplace: Workplace, tmp_path: Path) -> None:
    expected = list(zip(SYSTEMS, OWN, strict=True))
    import_rows(workplace, tmp_path, rows(4))
    assert told(workplace) == [(None, {})] * 4
    put(workplace, tmp_path)  # a later import fills in what is missing
    ids = workplace.repository.samples.ids(Search("birds"))
    assert told(workplace) == expected
    lines = [line_of(one.sample, None, (), None) for one in workplace.repository.samples.many(ids)]
    assert [('"system": "vinvl <b>"' in line, '"own"' in line) for line in lines] == [
        (True, True), (False, True), (False, False), (True, True)
    ]  # fmt: skip
    unscored = workplace.repository.scores.unscored("birds", "Other")
    assert [(one.sample.system, dict(one.sample.own)) for one in unscored] == expected


def test_another_captioner_of_a_stored_sample_is_a_contradiction(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, [rows(1)[0] | {"system": "vinvl"}])
    with pytest.raises(BadRow, match="vinvl.*blip") as refused:
        import_rows(workplace, tmp_path, [rows(1)[0] | {"system": "blip"}])
    assert refused.value.field == "system"
    assert told(workplace) == [("vinvl", {})]


def test_two_captioners_may_write_the_same_caption_of_a_picture(workplace: Workplace, tmp_path: Path) -> None:
    (row,) = rows(1)
    del row["id"], row["scores"]
    for _ in range(2):  # the second import finds both again
        import_rows(workplace, tmp_path, [row | {"system": "vinvl"}, row | {"system": "blip"}])
        assert told(workplace) == [("vinvl", {}), ("blip", {})]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ({"system": "vinvl <b>"}, [True, False, False, True]),
        ({"system": "v"}, [False] * 4),
        ({"own": OwnValue("split", "test")}, [False, True, False, True]),
        ({"own": OwnValue("fold", "2")}, [False, True, False, False]),
        ({"own": OwnValue("nothing", "test")}, [False] * 4),
    ],
)
def test_slices_are_filtered_by_both(
    workplace: Workplace, tmp_path: Path, by: dict[str, Any], expected: list[bool]
) -> None:
    put(workplace, tmp_path)
    assert Analyst(workplace).mask("birds", Slice("one", **by)).tolist() == expected
    keys = [one.sample.key for one in stored(workplace, system="vinvl <b>")]
    assert keys == ["secretkey-0", "secretkey-3"]


def test_names_and_values_are_listed_of_one_data_set(workplace: Workplace, tmp_path: Path) -> None:
    put(workplace, tmp_path / "a")
    import_rows(workplace, tmp_path / "b", rows(2), "bare")
    import_rows(workplace, tmp_path / "c", [rows(1)[0] | {"system": "m"}], "one")
    analysis = workplace.repository.analysis
    assert [analysis.captioner_names(name) for name in ("birds", "bare")] == [("blip", "vinvl <b>"), ()]
    values = analysis.own_values("birds")
    assert {name: [*values[name].dropna()] for name in values} == {"split": ["train", "test", "test"], "fold": ["2"]}
    assert {one.name: one.captioners for one in analysis.scored_datasets()} == {
        "birds": True, "bare": False, "one": False
    }  # fmt: skip
    assert Analyst(workplace).table("bare").samples["captioner"].isna().all()
