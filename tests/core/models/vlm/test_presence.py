import pytest

from core.models.vlm.presence import Presence


def test_a_server_that_is_away_for_long_has_one_line_and_one_when_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    presence = Presence("http://a/v1")
    for now in (0.0, 2.0, 4.9):
        presence.failed("ConnectError refused", now, 5.0)
    assert not caplog.records
    for now in (5.0, 9.0, 60.0):
        presence.failed("ConnectError refused", now, 5.0)
    presence.answered(90.0)
    presence.answered(91.0)
    first, second = (record.getMessage() for record in caplog.records)
    assert "http://a/v1 does not answer (ConnectError refused)" in first and "answers again after 90 s" in second


def test_a_server_that_is_away_for_a_moment_has_no_line(caplog: pytest.LogCaptureFixture) -> None:
    presence = Presence("http://a/v1")
    for now in (0.0, 6.0, 12.0, 18.0):
        presence.failed("503", now, 5.0)
        presence.answered(now + 1)
    assert not caplog.records
