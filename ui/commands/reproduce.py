"""`reproduce`: compare results that papers printed with the same results computed here."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.csv_text import csv_text
from core.datasets import benchmark_named
from core.errors import BadSetting
from core.files import written_whole
from ui.commands.options import AsJson, DataDir, print_json, workplace
from ui.commands.print_tables import print_table
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.board import Board, ways_to_fill, whole
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.analysis.reproduction import reproduction
from ui.services.tables import spreadsheet

SUFFIXES = (".csv", ".tex")


def register(cli: typer.Typer) -> None:
    """Add the command `reproduce`."""
    cli.command()(reproduce)


def reproduce(
    context: typer.Context,
    benchmark: Annotated[
        str | None, typer.Argument(metavar="[BENCHMARK]", help="Only this benchmark, such as flickr8k-expert.")
    ] = None,
    dataset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the benchmark's data set; default: the benchmark's own name."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="File for the comparison: .csv or .tex.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Compare results printed in four papers with the same results computed from your data sets."""
    only = None if benchmark is None else benchmark_named(benchmark).name
    if dataset is not None and only is None:
        raise BadSetting("--dataset also needs the BENCHMARK whose data the data set contains.")
    if to is not None and to.suffix not in SUFFIXES:
        raise BadSetting(f"The file name must end in {', '.join(SUFFIXES)}, found {to.name}.")
    with workplace(context, data_dir) as opened:
        analyst = Analyst(opened)
        board = reproduction(AgreementDesk(analyst), analyst, only, dataset)
    if to is not None:
        with written_whole(to) as path:
            path.write_text(text_of(board, to.suffix), encoding="utf-8")
        typer.echo(f"Wrote {to}.")
        return
    if as_json:
        print_json([asdict(row) for row in whole(board).rows])
        return
    for table in board.computed:
        print_table(table)
        typer.echo()
    for table in board.missing:
        typer.echo(
            f"{table.rows[0].benchmark}: {len(table.rows):,} printed figures cannot be compared yet, because data "
            "are missing here. To add the data:"
        )
        for way, metrics in ways_to_fill(table).items():
            typer.echo(f"  {way}   ({', '.join(metrics)})")
    for remark in board.remarks:
        typer.echo(remark, err=True)


def text_of(board: Board, suffix: str) -> str:
    """Return a reproduction board as text: CSV or LaTeX.

    suffix: the ending of the file, which chooses the format.
    """
    if suffix == ".csv":
        heads, lines = spreadsheet(whole(board))
        return csv_text([heads, *([cell.exact or cell.text for cell in line] for line in lines)])
    from ui.report.latex import latex_table

    return "\n".join(latex_table(table) for table in (*board.computed, *board.missing))
