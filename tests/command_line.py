"""The command line as tests run it: in this process, on a data folder of their own. No test lives here."""

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app import main


class Ran(NamedTuple):
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


Run = Callable[..., Ran]


def command_line(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs one command on a data folder; variables of the environment are named."""

    def command(*arguments: object, **environ: str) -> Ran:
        code = main([str(argument) for argument in arguments], {"CAPSCOPE_DATA": str(data_dir)} | environ)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return command


def quietly(data_dir: Path, *arguments: object) -> None:
    """Run one command that must succeed, for a data folder that several tests copy."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as told:
        code = main([str(argument) for argument in arguments], {"CAPSCOPE_DATA": str(data_dir)})
    assert code == 0, told.getvalue()
