"""Values of own columns, stored with their samples: imported, filled in, copied, exported and filtered by."""

from pathlib import Path

from core.analysis.slices import OwnValue, Slice
from core.datasets.own_form import line_of
from storage.types import Search, StoredSample
from tests.making import import_rows, rows
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace


def stored(workplace: Workplace, dataset: str = "birds") -> tuple[StoredSample, ...]:
    return workplace.repository.samples.search(Search(dataset), 0, 100).samples


def put(workplace: Workplace, folder: Path) -> None:
    splits = ({"split": "train"}, {"split": "test", "fold": "2"}, None, {"split": "test"})
    import_rows(
        workplace, folder, [row | ({"own": own} if own else {}) for row, own in zip(rows(4), splits, strict=True)]
    )


def test_own_values_are_stored_copied_and_exported(workplace: Workplace, tmp_path: Path) -> None:
    put(workplace, tmp_path)
    expected = [(("split", "train"),), (("split", "test"), ("fold", "2")), (), (("split", "test"),)]
    assert [dict(one.sample.own) for one in stored(workplace)] == [dict(own) for own in expected]
    ids = workplace.repository.samples.ids(Search("birds"))
    exported = list(workplace.repository.samples.many(ids))
    assert '"own": {"split": "train"}' in line_of(exported[0].sample, None, (), None)
    assert '"own"' not in line_of(exported[2].sample, None, (), None)
    workplace.repository.copy_samples("birds", ids, "copy")
    assert [dict(one.sample.own) for one in stored(workplace, "copy")] == [dict(own) for own in expected]
    unscored = workplace.repository.scores.unscored("birds", "Other")
    assert [dict(one.sample.own) for one in unscored] == [dict(own) for own in expected]


def test_a_later_import_adds_own_values_to_samples_without_any(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, rows(4))
    put(workplace, tmp_path)
    assert [len(one.sample.own) for one in stored(workplace)] == [1, 2, 0, 1]


def test_slices_are_filtered_by_own_values(workplace: Workplace, tmp_path: Path) -> None:
    put(workplace, tmp_path)
    analyst = Analyst(workplace)

    def chosen(column: str, value: str) -> list[bool]:
        return [bool(one) for one in analyst.mask("birds", Slice("one", own=OwnValue(column, value)))]

    assert chosen("split", "test") == [False, True, False, True]
    assert chosen("fold", "2") == [False, True, False, False]
    assert chosen("split", "dev") == chosen("nothing", "test") == [False] * 4
    values = workplace.repository.analysis.own_values("birds")
    assert {name: [*values[name].dropna()] for name in values} == {"split": ["train", "test", "test"], "fold": ["2"]}
