"""Capscope: composition root and command line. Try `python app.py` and `python app.py --help`."""

import os
import sys
from collections.abc import Mapping, Sequence

import typer
from typer.exceptions import TyperException

from core.errors import CapscopeError
from ui.commands import build_cli
from ui.settings import Settings

USER_MISTAKE = 2
PRIVATE = 0o077  # of files and folders that this process makes: its own user alone reads them


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run one command; returns the exit code. A mistake is one line on standard error, never a traceback."""
    try:
        cli = build_cli(Settings.from_env(environ))
        result = cli(args=list(arguments), prog_name="python app.py", standalone_mode=False)
    except (CapscopeError, TyperException) as error:
        message = error.format_message() if isinstance(error, TyperException) else str(error)
        print(f"Error: {' '.join(message.split())}", file=sys.stderr)
        return USER_MISTAKE
    except OSError as error:
        where = f"{str(error.filename)[:200]}: " if error.filename else ""
        print(f"Error: {where}{error.strerror or error}.", file=sys.stderr)
        return USER_MISTAKE
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except typer.Exit as stop:
        return stop.exit_code
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    os.umask(PRIVATE)
    sys.exit(main(sys.argv[1:], os.environ))
