"""`describe`: sizes, caption lengths and human judgements of data sets."""

from dataclasses import asdict
from typing import Annotated

import typer

from core.errors import BadSetting
from ui.commands.options import AsJson, DataDir, print_json, print_table, workplace
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.description import described


def register(cli: typer.Typer) -> None:
    """Add the command `describe`."""
    cli.command()(describe)


def describe(
    context: typer.Context,
    dataset: Annotated[list[str] | None, typer.Argument(metavar="[DATASET...]", help="Default: all.")] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Print the table as LaTeX.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print sizes, caption lengths and distributions of human judgements, one row per data set."""
    if latex and as_json:
        raise BadSetting("Use --latex or --json, not both.")
    with workplace(context, data_dir) as opened:
        found = described(Analyst(opened), dataset or ())
    if as_json:
        print_json(asdict(found)["rows"])
    elif latex:
        from ui.report.latex import latex_table

        typer.echo(latex_table(found))
    else:
        print_table(found)
