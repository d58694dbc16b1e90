"""The audit log while nothing can be stored: exports still work, and entries are stored later."""

import logging

import pytest
from sqlalchemy import text

from core.errors import StorageUnavailable
from storage import Repository
from tests.making import opened_again
from ui.services.workplace import Workplace


def logged(repository: Repository) -> list[tuple[str, str]]:
    return [(entry.deed, entry.object) for entry in repository.audit.all()]


def test_an_entry_that_cannot_be_stored_goes_to_the_servers_log_and_is_stored_with_the_next(
    birds: Workplace, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.accounts.audit.PATIENCE_S", 0.05)
    audit, other = birds.repository.audit, opened_again(birds)
    with caplog.at_level(logging.ERROR, "capscope"), other.database.write():
        audit.add("ada", "ratings exported", "study pilot", "192.0.2.7")
        audit.add("ada", "report exported", "study pilot")
        assert logged(birds.repository) == []
    assert "ada from 192.0.2.7, ratings exported, study pilot" in caplog.text
    audit.add("bob", "bundle exported", "study two")
    assert logged(birds.repository) == [
        ("ratings exported", "study pilot"),
        ("report exported", "study pilot"),
        ("bundle exported", "study two"),
    ]
    times = [entry.at for entry in birds.repository.audit.all()]
    assert times == sorted(times)
    other.close()


def test_an_entry_that_waits_is_stored_once_though_storing_fails_at_the_end(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise StorageUnavailable("The database has been deleted.")

    monkeypatch.setattr(birds.repository.database, "check", gone)
    birds.repository.audit.add("ada", "ratings exported")
    monkeypatch.undo()
    birds.repository.audit.add("ada", "report exported")
    assert [deed for deed, _ in logged(birds.repository)] == ["ratings exported", "report exported"]
    with birds.repository.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM audit")) == 2
