import pytest

from ui.commands.options import progress_bar, progress_lines


def test_a_line_tells_how_much_is_done(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("ui.commands.options.monotonic", lambda: now[0])
    note = progress_lines()

    def told(done: int, at: float) -> str:
        now[0] = at
        note("FLEUR on toys", done, 1000)
        return capsys.readouterr().err

    assert told(0, 100.0) == told(10, 129.0) == ""
    assert told(120, 160.0) == "FLEUR on toys: 120 of 1,000 (12.0 %)\n"
    assert told(130, 170.0) == told(1000, 400.0) == ""


def test_a_short_command_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as progress:
        progress("Reading", 0, 2)
        progress("Reading", 2, 2)
    assert capsys.readouterr().err == ""
