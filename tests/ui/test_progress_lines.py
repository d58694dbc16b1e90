import threading

import pytest

from ui.commands.options import progress_bar
from ui.commands.progress_lines import ProgressLines, duration


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (59.4, "59 s"), (61, "1 min"), (3599, "59 min"), (9000, "2 h 30 min"), (864_000, "10 days")],
)
def test_a_time_is_told_in_words(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_a_line_tells_how_much_is_done_how_fast_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("ui.commands.progress_lines.monotonic", lambda: now[0])
    lines = ProgressLines()
    assert lines.line(100.0) is None
    lines.note("FLEUR on toys", 0, 1000)
    assert lines.line(160.0) == "FLEUR on toys: 0 of 1,000, no progress in 1 min"
    lines.note("FLEUR on toys", 120, 1000)
    assert lines.line(160.0) == "FLEUR on toys: 120 of 1,000 (12.0 %), 2.0/s, 7 min left"
    assert lines.line(340.0) == "FLEUR on toys: 120 of 1,000 (12.0 %), 30.0/min, 29 min left"
    lines.note("FLEUR on toys", 1000, 1000)
    assert lines.line(400.0) is None


def test_where_output_is_no_terminal_lines_come_also_while_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = threading.Event()
    line = ProgressLines.line

    def watched(self: ProgressLines, now: float) -> str | None:
        found = line(self, now)
        if found is not None:
            told.set()
        return found

    monkeypatch.setattr("ui.commands.progress_lines.EVERY_S", 0.001)
    monkeypatch.setattr(ProgressLines, "line", watched)
    with progress_bar() as progress:
        progress("FLEUR on toys", 3, 10)
        assert told.wait(60)
    assert "FLEUR on toys: 3 of 10, no progress in 0 s" in capsys.readouterr().err


def test_a_short_command_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as progress:
        progress("Reading", 0, 2)
        progress("Reading", 2, 2)
    assert capsys.readouterr().err == ""
