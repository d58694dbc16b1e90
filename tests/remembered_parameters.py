"""What Typer reads of a command's function, kept from one run of the command line to the next.

Typer reads the functions of all commands, each four times, before it runs one. That takes three quarters of the time of
a short command, and tests run some thousand of them. No test lives here.
"""

from functools import cache

from typer import main


def remember_parameters() -> None:
    """Let Typer read the parameters of a function once per process."""
    main.get_params_from_function = cache(main.get_params_from_function)  # type: ignore[attr-defined]
