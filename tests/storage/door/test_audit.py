"""The audit log while nothing can be stored: the server's log has the entry."""

import logging

import pytest

from tests.making import opened_again
from ui.services.workplace import Workplace


def test_an_entry_that_cannot_be_stored_goes_to_the_servers_log(
    birds: Workplace, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.accounts.audit.PATIENCE_S", 0.05)
    audit, other = birds.repository.audit, opened_again(birds)
    with caplog.at_level(logging.ERROR, "capscope"), other.database.write():
        audit.add("ada", "ratings exported", "study pilot", "192.0.2.7")
    assert "ada from 192.0.2.7, ratings exported, study pilot" in caplog.text
    audit.add("bob", "archive exported", "study two")
    assert [entry.deed for entry in audit.all()] == ["archive exported"]
    other.close()
