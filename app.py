"""Capscope's entry point and command line. Try `python app.py --help`, or `capscope --help` if it is installed."""

import logging
import os
import sys
import warnings
from collections.abc import Mapping, Sequence

import typer
from typer.exceptions import TyperException

from core.errors import BadForms, BadRows, CapscopeError
from core.installation import COMMAND, missing_package
from ui.commands import build_cli
from ui.settings import Settings

USER_MISTAKE = 2
NEXT = "\n  "  # separator between the lines of an error message
PRIVATE = 0o077  # umask: only the user of this process may read the files and folders that it makes


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run one command of the command line. Return the exit code.

    A user's mistake is printed as one line, never as a traceback. If a file has several mistakes, each has its own
    line.
    """
    try:
        cli = build_cli(Settings.from_env(environ))
        result = cli(args=list(arguments), prog_name=COMMAND, standalone_mode=False)
    except (CapscopeError, TyperException) as error:
        message = _usage_problem(error) if isinstance(error, TyperException) else str(error)
        lines = message.splitlines() if isinstance(error, BadRows | BadForms) else [message]
        print(f"Error: {NEXT.join(' '.join(line.split()) for line in lines)}", file=sys.stderr)
        return USER_MISTAKE
    except ModuleNotFoundError as error:
        advice = missing_package(error.name)
        if advice is None:
            raise
        print(f"Error: {advice}", file=sys.stderr)
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


def _usage_problem(error: TyperException) -> str:
    """Return the message for a command line that cannot be parsed.

    For an unknown command, the message also names the command that lists all commands.
    """
    message, context = error.format_message(), getattr(error, "ctx", None)
    if context is None or not message.startswith("No such command"):
        return message
    return f"{message} See: {context.command_path} --help"


def run() -> None:
    """Run the command given on the command line, then exit."""
    os.umask(PRIVATE)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # warnings of libraries are for developers
    logging.getLogger("PIL").setLevel(logging.CRITICAL)
    sys.exit(main(sys.argv[1:], os.environ))


if __name__ == "__main__":
    run()
