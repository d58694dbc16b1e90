"""Answers that a browser saved as a file are imported once the server has lost them."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from core.errors import BadFile, BadSetting, UserError
from storage.rating.desk.saving_answers import UNKNOWN_ITEM
from storage.study_types import AssignedItem, Rater, Save, Study
from storage.tables import AssignmentRow, ParticipationRow, RaterRow
from tests.command_line import command_line
from tests.conftest import copied
from tests.making import CRITERIA, make_study, note, rating
from ui.services.transfer.answer_files import import_answers
from ui.services.transfer.seals import Seals
from ui.services.workplace import KEY, Workplace
from ui.web.access.security import Secret

AT = 1_790_000_000_000


@pytest.fixture
def birds(birds_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    with copied(birds_folder, tmp_path / "data") as workplace:
        Secret(workplace.data_dir / KEY)
        yield workplace


class Table:
    """A rater at an item whose browser has kept three answers that the server has lost."""

    def __init__(self, workplace: Workplace, folder: Path, is_known: bool = True) -> None:
        self.workplace, self.folder = workplace, folder
        self.study: Study = make_study(workplace, size=2, veil=False)
        self.rater: Rater = workplace.repository.raters.add("NEW1")
        (self.item,) = workplace.repository.desk.queue(self.study.id, self.rater, None, 1).items
        self.saves = [rating(self.item, criterion, 2) for criterion in CRITERIA]
        with workplace.repository.database.write() as connection:
            connection.execute(delete(AssignmentRow))
            connection.execute(delete(ParticipationRow))
            if not is_known:
                connection.execute(delete(RaterRow))

    def seal(self, item: AssignedItem | None = None) -> str:
        handout = (item or self.item).handout
        assert handout is not None
        return Seals(self.workplace.data_dir / KEY).seal(handout)

    def answers(self, *saves: Save) -> list[dict[str, Any]]:
        fields = ("key", "assignment", "kind", "panel", "criterion", "point")
        told = ({name: asdict(one)[name] for name in fields} for one in saves or self.saves)
        return [{"at": AT, "seal": self.seal(), "save": one} for one in told]

    def write(self, **changes: Any) -> Path:
        content = {"capscope": "answers", "version": 1, "rater": "NEW1", "answers": self.answers()} | changes
        file = self.folder / "answers-of-NEW1.json"
        file.write_text(json.dumps(content))
        return file

    def stored(self) -> dict[str, int]:
        return {record.criterion: record.rating for record in self.workplace.repository.studies.records(self.study.id)}


def test_answers_of_a_known_rater_are_stored_once(birds: Workplace, tmp_path: Path) -> None:
    table = Table(birds, tmp_path)
    first, second = (import_answers(birds, table.write()) for _ in range(2))
    assert (first.stored, first.known, first.refused) == (3, 0, {})
    assert (second.stored, second.known, second.refused) == (0, 3, {})
    assert table.stored() == dict.fromkeys(CRITERIA, 2)


def test_a_rater_who_no_longer_exists_is_made_only_on_the_managers_word(birds: Workplace, tmp_path: Path) -> None:
    table = Table(birds, tmp_path, is_known=False)
    with pytest.raises(BadSetting, match="no rater with the code NEW1.*--new-rater"):
        import_answers(birds, table.write())
    assert import_answers(birds, table.write(), new_rater=True).stored == 3
    assert birds.repository.raters.named("NEW1").code == "NEW1"


def test_an_import_replaces_no_answer_that_the_rater_has_given_since(birds: Workplace, tmp_path: Path) -> None:
    table = Table(birds, tmp_path)
    (again,) = birds.repository.desk.queue(table.study.id, table.rater, None, 1).items
    birds.repository.save(table.rater, [rating(again, "factuality", 4)])
    found = import_answers(birds, table.write())
    assert (found.stored, list(found.refused.values())) == (2, [1])
    assert "An import never replaces an answer" in next(iter(found.refused))
    assert table.stored() == {"consistency": 2, "factuality": 4, "informativeness": 2}


def test_an_answer_that_was_changed_on_the_page_keeps_its_last_value(birds: Workplace, tmp_path: Path) -> None:
    table = Table(birds, tmp_path)
    changed = table.answers(*table.saves, rating(table.item, "factuality", 4))
    assert import_answers(birds, table.write(answers=changed)).stored == 4
    assert table.stored()["factuality"] == 4


def test_an_import_that_is_killed_and_done_again_stores_the_last_answer_to_a_question(
    birds: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(birds, tmp_path)
    given = birds.repository.desk.queue(table.study.id, table.rater, None, 2).items
    (other,) = (
        one for one in given if one.handout and table.item.handout and one.handout.item != table.item.handout.item
    )
    notes = [note(other, f"note {number}") for number in range(600)]
    changed = rating(table.item, "factuality", 4)
    fields = ("key", "assignment", "kind", "panel", "criterion", "point", "text")
    saves = [{name: asdict(one)[name] for name in fields} for one in (*table.saves, *notes, changed)]
    seals = {table.item.id: table.seal(), other.id: table.seal(other)}
    answers = [{"at": AT, "seal": seals[one["assignment"]], "save": one} for one in saves]
    save, calls = type(birds.repository).save, iter([None])

    def killed(*asked: Any) -> Any:
        if next(calls, "late") == "late":
            raise KeyboardInterrupt
        return save(*asked)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(type(birds.repository), "save", killed)
        import_answers(birds, table.write(answers=answers))
    assert table.stored()
    import_answers(birds, table.write(answers=answers))
    assert table.stored()["factuality"] == 4


def test_nothing_counts_that_this_server_has_not_sealed_for_this_rater(birds: Workplace, tmp_path: Path) -> None:
    table = Table(birds, tmp_path)
    thief = birds.repository.raters.add("THIEF")
    unsealed = [{name: value for name, value in one.items() if name != "seal"} for one in table.answers()]
    forged = [one | {"seal": one["seal"][:-4] + "AAAA"} for one in table.answers()]
    for answers, code in ((unsealed, "NEW1"), (forged, "NEW1"), (table.answers(), thief.code)):
        found = import_answers(birds, table.write(answers=answers, rater=code))
        assert (found.stored, found.refused) == (0, {UNKNOWN_ITEM: 3})
    assert table.stored() == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"capscope": "other"},
        {"version": 2},
        {"rater": ""},
        {"rater": "a\nb"},
        {"rater": 7},
        {"answers": {}},
        {"more": 1},
    ],
    ids=str,
)
def test_a_file_of_another_shape_is_refused_whole(birds: Workplace, tmp_path: Path, changes: dict[str, Any]) -> None:
    table = Table(birds, tmp_path)
    with pytest.raises(UserError):
        import_answers(birds, table.write(**changes))
    assert table.stored() == {}


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_what_is_no_json_of_ours_is_refused(birds: Workplace, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "answers.json"
    file.write_bytes(content)
    with pytest.raises(BadFile):
        import_answers(birds, file)
    with pytest.raises(BadFile):
        import_answers(birds, tmp_path / "missing.json")


def test_a_save_of_another_shape_is_counted_and_holds_up_no_other(birds: Workplace, tmp_path: Path) -> None:
    table = Table(birds, tmp_path)
    bad: list[dict[str, Any]] = [{"point": 99}, {"criterion": "beauty"}, {"kind": "DROP"}, {"key": "k"}, {"x": 1}]
    sound = table.answers()
    wrong = [
        sound[0] | {"save": {**sound[0]["save"], "key": f"bad-key-{number}", **one}} for number, one in enumerate(bad)
    ]
    found = import_answers(birds, table.write(answers=[*wrong, *sound]))
    assert (found.stored, sum(found.refused.values())) == (3, 5)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        7,
        [],
        {},
        {"at": "now", "save": {}},
        {"at": 10**16, "save": {}},
        {"at": 1.5, "save": {}},
        {"at": 0, "save": [], "seal": ""},
        {"at": 0, "save": {}, "more": 1},
        {"at": 0, "save": {}, "seal": "x" * 2001},
        {"at": 0, "save": {"__class__": 1}},
    ],
    ids=str,
)
def test_an_answer_of_another_shape_is_counted_and_holds_up_no_other(
    birds: Workplace, tmp_path: Path, bad: object
) -> None:
    table = Table(birds, tmp_path)
    found = import_answers(birds, table.write(answers=[bad, *table.answers()]))
    assert (found.stored, sum(found.refused.values())) == (3, 1)


def test_the_command_says_what_it_did_and_logs_it(
    birds: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Table(birds, tmp_path, is_known=False).write()
    run = command_line(birds.data_dir, capsys)
    assert "with --new-rater" in run("rater", "import", str(file)).err
    assert run("rater", "import", str(file), "--new-rater").out == (
        "Stored 3 answers of NEW1. 0 answers were stored before.\n"
    )
    entry = birds.repository.audit.newest(1)[0]
    assert (entry.deed, entry.object) == ("answers imported", "rater NEW1: 3 stored, 0 known, 0 refused")
