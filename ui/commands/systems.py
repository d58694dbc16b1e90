"""`systems`: compare the captioners of a data set."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

import typer

from ui.commands.options import AsJson, DataDir, print_json, workplace
from ui.commands.print_tables import Latex, check_one_output, print_latex, print_table
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.captioner_differences import captioner_differences
from ui.services.analysis.captioner_lengths import captioner_lengths
from ui.services.analysis.captioners import CaptionerComparison, compare_captioners
from ui.services.tables import Table


def register(cli: typer.Typer) -> None:
    """Add the command `systems`."""
    cli.command()(systems)


def systems(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(metavar="DATASET")],
    metric: Annotated[list[str] | None, typer.Option(help="Metric or component; repeatable; default: all.")] = None,
    slice_name: Annotated[
        str | None, typer.Option("--slice", metavar="NAME", help="Use only the samples of this slice.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="Also test each captioner against this captioner, such as Human.")
    ] = None,
    lengths: Annotated[
        bool, typer.Option("--lengths", help="Also print each captioner's means by caption length.")
    ] = False,
    latex: Latex = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Compare a data set's captioners.

    Print the captioners' mean scores and ranks. Also print how well each ranking agrees with people's ranking of the
    captioners.
    """
    check_one_output(latex, as_json)
    with workplace(context, data_dir) as opened:
        analyst = Analyst(opened)
        metrics = metric or list(analyst.table(dataset).metrics)
        comparison = compare_captioners(analyst, dataset, metrics, slice_name)
        tests = against and captioner_differences(analyst, dataset, metrics, slice_name, against)
        by_length = captioner_lengths(analyst, dataset, metrics, slice_name) if lengths else None
    more = {key: table for key, table in (("differences", tests), ("lengths", by_length)) if table}
    if as_json:
        print_json(asdict(comparison) | {key: asdict(table) for key, table in more.items()})
        return
    show = print_latex if latex else print_table
    _print(comparison, show)
    for table in more.values():
        typer.echo()
        show(table)


def _print(found: CaptionerComparison, show: Callable[[Table[Any]], None]) -> None:
    for number, table in enumerate(table for table in (found.captioners, found.agreement) if table.rows):
        if number:
            typer.echo()
        show(table)
    for remark in found.remarks:
        typer.echo(remark, err=True)
