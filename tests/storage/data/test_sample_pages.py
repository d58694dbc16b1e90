"""Pages of lists: the same samples as in the whole list."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.types import EvaluationError, Score
from storage.data.hidden_datasets import making
from storage.data.search import found_ids
from storage.types import Search
from tests.conftest import copied
from tests.making import import_rows, rows
from tests.storage.data.test_hidden_datasets import fill
from ui.services.workplace import Workplace

METRIC = "ZorkScore"


@pytest.fixture
def several(birds: Workplace, tmp_path: Path) -> Workplace:
    """What `_fill` makes, for a test that changes it."""
    return _fill(birds, tmp_path)


@pytest.fixture(scope="module")
def lists(birds_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """What `_fill` makes, for all tests that only read."""
    folder = tmp_path_factory.mktemp("lists")
    with copied(birds_folder, folder / "data") as birds:
        yield _fill(birds, folder)


def _fill(birds: Workplace, tmp_path: Path) -> Workplace:
    """Make three data sets with equal scores, errors, samples with two scores of a metric, and samples with none."""
    samples = rows(9)
    for number, row in enumerate(samples):
        for score in row["scores"]:
            score["value"] = (number % 3) / 2
        row["caption"] = ["É 100% café", "a_b \\ 'x'", 'the "DOG"', "ﬀ K \u212a"][number % 4] + f" {number}"
        if number % 4 == 3:
            row["scores"] = row["scores"][1:]
    import_rows(birds, tmp_path / "m", samples, "more")
    import_rows(birds, tmp_path / "e", rows(3), "few")
    ids = birds.repository.samples.ids(Search("more"))
    for place, value in ((0, 1.0), (2, 0.0), (5, None)):
        outcome = EvaluationError(METRIC, "Z|2", "other", "No.") if value is None else Score(METRIC, value, "Z|2")
        birds.repository.scores.save(ids[place], outcome)
    return birds


SEARCHES = [
    Search(metric=metric, sort=sort, falling=falling, text=text, lowest=lowest, explained=explained)
    for metric in (None, METRIC)
    for sort in ("imported", "score", "error")
    for falling in (False, True)
    for text, lowest, explained in (("", None, None), ("number", None, None), ("", 0.5, None), ("", None, True))
]


@pytest.mark.parametrize("dataset", ["birds", "more", None, "none such"])
def test_every_page_holds_what_the_whole_list_has_there(lists: Workplace, dataset: str | None) -> None:
    for wanted in (replace(search, dataset=dataset) for search in SEARCHES):
        with lists.repository.database.read() as connection:
            ids = list(connection.scalars(found_ids(wanted)))
        for offset in (0, 2, 4, len(ids) - 1, len(ids), len(ids) + 5):
            if offset < 0:
                continue
            page = lists.repository.samples.search(wanted, offset, 2)
            assert [one.id for one in page.samples] == ids[offset : offset + 2], (wanted, offset)
            assert (page.total, page.offset) == (len(ids), offset)
            assert page.before == (ids[offset - 1] if 0 < offset <= len(ids) else None), (wanted, offset)
            assert page.after == (ids[offset + 2] if offset + 2 < len(ids) else None)
        for place in range(0, len(ids), 3):
            page = lists.repository.samples.search(wanted, 0, 2, around=ids[place])
            assert page.offset == place // 2 * 2 and ids[place] in [one.id for one in page.samples]


def test_a_list_is_read_again_after_a_change(several: Workplace) -> None:
    wanted = Search("more", metric=METRIC, sort="error", falling=True)
    search = several.repository.samples.search
    first = search(wanted, 0, 1).samples[0]
    assert search(wanted, 0, 1).samples == (first,)
    several.repository.scores.save(first.id, Score(METRIC, first.sample.human or 0.0, "Z|3"))
    assert search(wanted, 0, 1).samples[0].id != first.id


def test_a_hidden_data_set_is_on_no_page(several: Workplace) -> None:
    before = several.repository.samples.search(Search(), 0, 50)
    with making(several.repository.database) as made:
        fill(several.repository.database, made.id)
        assert several.repository.samples.search(Search(), 0, 50) == before
        assert several.repository.samples.search(Search(text="unicorn"), 0, 50).total == 0


TEXTS = [
    "É 100% café",
    "100%",
    "a_b",
    "A_B \\",
    "'x'",
    '"dog"',
    "THE",
    "é",
    "É",
    "ﬀ",
    "K",
    "k \u212a",
    "ca",
    "f",
    "x' 5",
]
TEXTS += ["picture-1.png", "KEY-3", "AND", "a* OR", "café 0", "CAFÉ", "zzz", "caption:", '""', "*"]


def test_a_text_is_found_by_the_index_where_each_row_holds_it(lists: Workplace) -> None:
    samples = lists.repository.samples
    every = [samples.get(number) for number in samples.ids(Search())]
    texts = {one.id: (one.sample.candidate, one.sample.key, one.sample.image.name) for one in every}
    for text in TEXTS:
        wanted = ascii_lower(text)
        expected = [number for number, held in texts.items() if any(wanted in ascii_lower(one) for one in held)]
        assert list(samples.ids(Search(text=text))) == expected, text


def ascii_lower(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)
