"""A file of answers, brought to a study's page: what would be stored is told first, and nothing is stored before."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from core.errors import BadFile, BadSetting
from storage.tables import AssignmentRow, EventRow, ParticipationRow, RaterRow
from tests.making import CRITERIA, make_study
from tests.ui.services.test_answer_files import AT, Table, birds  # noqa: F401
from ui.services.transfer.answer_files import _AT_A_TIME, import_answers, rehearse, take_in
from ui.services.workplace import Workplace


def rows(workplace: Workplace) -> list[int]:
    """Return how many raters, assignments and events there are."""
    with workplace.repository.database.read() as connection:
        return [
            connection.scalar(select(func.count()).select_from(table)) or 0
            for table in (RaterRow, AssignmentRow, ParticipationRow, EventRow)
        ]


def content(table: Table, **changes: Any) -> bytes:
    return table.write(**changes).read_bytes()


@pytest.mark.parametrize("is_known", [True, False])
def test_what_is_told_beforehand_is_what_is_stored_and_is_not_stored_yet(
    birds: Workplace,  # noqa: F811
    tmp_path: Path,
    is_known: bool,
) -> None:
    table = Table(birds, tmp_path, is_known)
    before = rows(birds)
    told = rehearse(birds, content(table), "answers.json", table.study.id)
    assert rows(birds) == before
    assert (told.stored, told.items, told.known, told.is_new_rater) == (3, 1, 0, not is_known)
    assert take_in(birds, content(table), "answers.json", not is_known, table.study.id) == told
    assert table.stored() == dict.fromkeys(CRITERIA, 2)
    again = rehearse(birds, content(table), "answers.json", table.study.id)
    assert (again.stored, again.known, again.refused) == (0, 3, {})


def test_a_rater_who_is_not_known_is_made_only_if_it_is_said(birds: Workplace, tmp_path: Path) -> None:  # noqa: F811
    table = Table(birds, tmp_path, is_known=False)
    with pytest.raises(BadSetting, match="no rater with the code NEW1"):
        take_in(birds, content(table), "answers.json", False, table.study.id)
    assert rows(birds)[0] == 0


def test_the_page_of_one_study_stores_no_answer_of_another(birds: Workplace, tmp_path: Path) -> None:  # noqa: F811
    table, other = Table(birds, tmp_path), make_study(birds, "other", size=2)
    for told in (rehearse(birds, content(table), "a", other.id), take_in(birds, content(table), "a", True, other.id)):
        assert (told.stored, told.refused) == (0, {"The answer is about an item of another study.": 3})
    assert table.stored() == {}
    assert import_answers(birds, table.write()).stored == 3  # the command takes every study's
    birds.repository.desk.queue(other.id, table.rater, None, 1)
    unsealed = [one | {"seal": None} for one in table.answers()]
    told = take_in(birds, content(table, answers=unsealed), "a", True, other.id)
    assert (told.stored, sum(told.refused.values())) == (0, 3)  # by the stored assignment, without a seal


def test_answers_that_cannot_be_are_refused_beforehand_with_their_reasons(
    birds: Workplace,  # noqa: F811
    tmp_path: Path,
) -> None:
    table = Table(birds, tmp_path)
    first, second, third = table.answers()
    first["save"]["point"], second["seal"] = 99, "forged"
    third["save"] = {"key": "x", "odd": 1}
    told = rehearse(birds, content(table, answers=[first, second, third]), "a", table.study.id)
    assert (told.stored, sum(told.refused.values())) == (1, 2)  # the seal of another answer to the item counts
    assert take_in(birds, content(table, answers=[first, second, third]), "a", True, table.study.id) == told


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"[]",
        b"{" * 200_000,
        b'{"capscope": "answers", "version": 1, "rater": "A", "answers": [' + b"[" * 100_000,
        "\ud800".encode(errors="surrogatepass"),
        b'{"capscope": "answers", "version": 1, "rater": "../..", "answers": []}',
        b" " * 20_000_001,
    ],
)
def test_a_hostile_file_is_refused_and_stores_nothing(birds: Workplace, bad: bytes) -> None:  # noqa: F811
    study = make_study(birds, size=2)
    for use in (rehearse, lambda *asked: take_in(*asked[:3], True, asked[3])):
        with pytest.raises(BadFile):
            use(birds, bad, "answers.json", study.id)
    assert rows(birds)[0] == 0


def test_a_large_file_is_rehearsed_part_by_part(birds: Workplace, tmp_path: Path) -> None:  # noqa: F811
    table = Table(birds, tmp_path)
    answers = [*table.answers(), *({"at": AT, "save": {"odd": number}} for number in range(2 * _AT_A_TIME))]
    told = rehearse(birds, content(table, answers=answers), "a", table.study.id)
    assert (told.stored, sum(told.refused.values())) == (3, 2 * _AT_A_TIME)


def test_a_large_file_counts_its_items_and_each_answer_once(birds: Workplace, tmp_path: Path) -> None:  # noqa: F811
    table = Table(birds, tmp_path)
    (one, *others) = table.answers()
    again = one | {"save": one["save"] | {"point": 4}}  # the same key: never stored
    padding = [{"at": AT, "save": {"odd": number}} for number in range(_AT_A_TIME)]
    body = content(table, answers=[one, again, *padding, *others, again])
    for told in (rehearse(birds, body, "a", table.study.id), take_in(birds, body, "a", True, table.study.id)):
        assert (told.stored, told.known, told.items, sum(told.refused.values())) == (3, 2, 1, _AT_A_TIME)
    assert table.stored() == dict.fromkeys(CRITERIA, 2)


def test_after_a_rehearsal_others_can_write(birds: Workplace, tmp_path: Path) -> None:  # noqa: F811
    table = Table(birds, tmp_path)
    with pytest.raises(RuntimeError), birds.repository.rehearse() as repository:
        repository.raters.add("GHOST")
        raise RuntimeError
    birds.repository.raters.add("REAL")
    with birds.repository.database.read() as connection:
        codes = set(connection.scalars(select(RaterRow.code)))
    assert codes == {"NEW1", "REAL"} and table.study
    with birds.repository.database.write() as connection:
        connection.execute(delete(ParticipationRow))


def test_the_file_is_json_as_the_page_sends_it(birds: Workplace, tmp_path: Path) -> None:  # noqa: F811
    assert json.loads(content(Table(birds, tmp_path)))["rater"] == "NEW1"
