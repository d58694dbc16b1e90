"""`describe`: sizes, caption lengths and human judgements of data sets."""

from dataclasses import asdict
from typing import Annotated

import typer

from ui.commands.options import AsJson, DataDir, print_json, workplace
from ui.commands.print_tables import Latex, check_one_output, print_latex, print_table
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.description import described


def register(cli: typer.Typer) -> None:
    """Add the command `describe`."""
    cli.command()(describe)


def describe(
    context: typer.Context,
    dataset: Annotated[list[str] | None, typer.Argument(metavar="[DATASET...]", help="Default: all.")] = None,
    latex: Latex = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print sizes, caption lengths and distributions of human judgements, one row per data set."""
    check_one_output(latex, as_json)
    with workplace(context, data_dir) as opened:
        found = described(Analyst(opened), dataset or ())
    if as_json:
        print_json(asdict(found)["rows"])
    elif latex:
        print_latex(found)
    else:
        print_table(found)
