"""`analyse` and `correlate`: print the sections of Analyse, as tables, LaTeX, CSV or JSON."""

from typing import Annotated

import typer

from core.errors import BadSetting
from ui.commands.options import AsJson, DataDir, Plugin, pairs_of, print_json, workplace
from ui.commands.print_tables import Latex, print_latex, print_table
from ui.services.analysis import SECTIONS, found_in, section_named
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found
from ui.services.tables import csv_text, records

PRINTED = tuple(one for one in SECTIONS if one.key != "plot")
Metric = Annotated[list[str] | None, typer.Option(help="A metric or component; repeatable; default: all.")]
SliceName = Annotated[str | None, typer.Option("--slice", metavar="NAME", help="Only the samples of this slice.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print the tables as CSV with exact numbers.")]
Wide = Annotated[bool, typer.Option("--wide", help="With --latex: tables over both columns of a page.")]


def register(cli: typer.Typer) -> None:
    """Add the commands `analyse` and `correlate`."""
    cli.command(epilog="Sections: " + "; ".join(f"{one.key}: {one.title}" for one in PRINTED))(analyse)
    cli.command()(correlate)


def analyse(
    context: typer.Context,
    key: Annotated[str, typer.Argument(metavar="SECTION", help="The section, such as agreement.")],
    dataset: Annotated[list[str] | None, typer.Argument(metavar="[DATASET]…")] = None,
    metric: Metric = None,
    slice_name: SliceName = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a control of the section, as on the page; repeatable."),
    ] = None,
    latex: Latex = False,
    wide: Wide = False,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    plugin: Plugin = None,
    data_dir: DataDir = None,
) -> None:
    """Print a section of the page Analyse for one data set or several."""
    _check(latex, as_csv, as_json)
    section_named(key, PRINTED)
    options = pairs_of("--set", option)
    with workplace(context, data_dir, plugin) as opened:
        asked = Asked(tuple(dataset or ()), tuple(metric or ()), slice_name, options)
        found = found_in(Analyst(opened), key, asked)
    known = [one.name for one in found.controls]
    if unknown := [name for name in options if name not in known]:
        choices = f"It has: {', '.join(known)}." if known else "It has no controls."
        raise BadSetting(f"{key} has no control {unknown[0]!r}. {choices}")
    for one in found.controls:
        if options.get(one.name, one.value) not in (one.value, dict(one.choices).get(one.value)):
            values = ", ".join(
                value if value == label else f"{value} ({label})" for value, label in one.choices if value
            )
            raise BadSetting(f"{one.name} cannot be {options[one.name]!r}. Choose from: {values}.")
    _print(key, found, latex, wide, as_csv, as_json)


def correlate(
    context: typer.Context,
    dataset: Annotated[list[str], typer.Option(help="A data set. Repeat the option for a table of several data sets.")],
    benchmark: Annotated[
        str | None,
        typer.Argument(metavar="[BENCHMARK]", help="The benchmark whose rules apply, such as flickr8k-expert."),
    ] = None,
    metric: Metric = None,
    part: Annotated[
        list[str] | None,
        typer.Option(help="Also correlate this component of the scores, such as precision; repeatable."),
    ] = None,
    slice_name: SliceName = None,
    latex: Latex = False,
    wide: Wide = False,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print how well metrics agree with people, in values times 100: the section agreement of `analyse`."""
    _check(latex, as_csv, as_json)
    if benchmark and len(dataset) > 1:
        raise BadSetting("Each data set uses the rules of its own benchmark. Remove BENCHMARK.")
    key = "several" if len(dataset) > 1 else "agreement"
    options = {"rule": benchmark or "", "against": "all", "parts": ",".join(part or ())}
    with workplace(context, data_dir) as opened:
        found = found_in(Analyst(opened), key, Asked(tuple(dataset), tuple(metric or ()), slice_name, options))
    _print(key, found, latex, wide, as_csv, as_json)


def _check(latex: bool, as_csv: bool, as_json: bool) -> None:
    if latex + as_json + as_csv > 1:
        raise BadSetting("Use only one of --latex, --json and --csv.")


def _print(key: str, found: Found, latex: bool, wide: bool, as_csv: bool, as_json: bool) -> None:
    if as_json:
        tables = [{"title": one.title, "rows": records(one), "footnote": one.footnote} for one in found.tables]
        print_json({"section": key, "tables": tables, "notes": found.notes})
        return
    for place, table in enumerate(found.tables):
        if latex:
            print_latex(table, wide)
        elif as_csv:
            typer.echo(("\n" if place else "") + csv_text(table), nl=False)
        else:
            if place:
                typer.echo()
            print_table(table)
    for note in found.notes:
        typer.echo(note, err=True)
