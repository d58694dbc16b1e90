"""`formats`, `import`, `annotate` and `share`: list formats, import data, and write data for others."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.bad_rows import listed, row_count, same_errors
from core.datasets import FORMATS
from core.datasets.base import Layout, Scale
from core.datasets.own_form import FIELDS
from core.datasets.own_tables import EXPLANATION, SCORE
from core.errors import BadRow, BadSetting
from core.studies.asking.form_words import numbered
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.importing.annotations import annotate
from ui.services.importing.importing import ImportReport, import_files
from ui.services.transfer.dataset_export import WRITTEN, ExportReport, export_dataset

SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip bad rows instead of stopping.")]
_TAKING_METRIC = [known.name for known in FORMATS if known.takes_metric]
_SCALE = re.compile(r"([+-]?[0-9]+(?:\.[0-9]+)?)(?:-|\.\.)([+-]?[0-9]+(?:\.[0-9]+)?)")
_NAMED = (*FIELDS, SCORE, EXPLANATION)  # possible values of NAME in --column NAME=COLUMN
SHOWN = 10  # maximum number of samples and pictures to print


def register(cli: typer.Typer) -> None:
    """Add the commands `formats`, `import`, `annotate` and `share`."""
    cli.command()(formats)
    cli.command("import")(import_)
    cli.command("annotate")(annotate_)
    cli.command("share")(share)


def formats() -> None:
    """List the formats that can be imported."""
    width = max(len(known.name) for known in FORMATS)
    for known in FORMATS:
        typer.echo(f"{known.name:<{width}}  {known.summary}")


def import_(
    context: typer.Context,
    format_name: Annotated[str, typer.Argument(metavar="FORMAT", help="One of `formats`.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    dataset: Annotated[
        str | None, typer.Option(help="Data set to which samples are added; default: the file's name.")
    ] = None,
    images: Annotated[
        list[Path] | None, typer.Option(help="Folder with pictures, searched by file name; repeatable.")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Name of the metric whose scores the file contains; only for {', '.join(_TAKING_METRIC)}.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COLUMN",
            help="NAME=COLUMN: your column for image, caption, human ...; repeatable, also for several columns of "
            "references. For csv, jsonl, huggingface.",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Also store this column of your own, such as split, to filter by it; repeatable. For csv, jsonl, "
            "huggingface.",
        ),
    ] = None,
    human_scale: Annotated[
        str | None,
        typer.Option(
            metavar="LOW-HIGH", help="The scale of human judgements, such as 1-5. For csv, jsonl, huggingface."
        ),
    ] = None,
    score_scale: Annotated[
        str | None,
        typer.Option(
            metavar="LOW-HIGH", help="The scale of metrics' scores, such as 0-100. For csv, jsonl, huggingface."
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Name of the captioner who wrote the captions, if the file does not contain it.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace stored values that differ, such as corrected judgements.")
    ] = False,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Add samples, scores and explanations from files. A bad row stops the import, and nothing is added."""
    scales = _scale("--human-scale", human_scale), _scale("--score-scale", score_scale)
    kept = tuple(dict.fromkeys(name.strip() for name in keep or ()))
    named, references = _columns(column or ())
    layout = Layout(named, *scales, system, kept, references, metric)
    with workplace(context, data_dir) as opened, progress_bar() as progress:
        report = import_files(
            opened,
            format_name,
            files,
            dataset,
            images or (),
            skip_bad,
            progress,
            layout=layout,
            replaces=replace,
        )
        opened.repository.audit.add(COMMAND_LINE, "data imported", f"data set {report.dataset}, {format_name}")
    if as_json:
        print_json(report_json(report))
    else:
        print_report(report)


def _columns(columns: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the columns of a table by Capscope's names, and further columns of references. Raises BadSetting."""
    named: dict[str, str] = {}
    references: list[str] = []
    for text in columns:
        ours, equals, theirs = (part.strip() for part in text.partition("="))
        if not (equals and theirs) or ours not in _NAMED:
            names = ", ".join(_NAMED)
            raise BadSetting(f"--column must be NAME=COLUMN, where NAME is one of {names}. Found: {text!r}.")
        if ours == "references" and ours in named:
            references.append(theirs)
        elif ours in named:
            raise BadSetting(f"--column {ours} is given twice. Only references may have several columns.")
        else:
            named[ours] = theirs
    return named, tuple(references)


def _scale(option: str, text: str | None) -> Scale | None:
    if text is None:
        return None
    match = _SCALE.fullmatch(text.strip())
    low, high = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not low < high:
        raise BadSetting(f"{option} needs the lowest and the highest value, such as 1-5 or -1..1. Found: {text!r}.")
    return low, high


def report_json(report: ImportReport) -> dict[str, object]:
    """Return the result of an import for --json."""
    more = {"skipped": skipped_json(report.skipped), "notes": list(report.notes)}
    return {"dataset": report.dataset} | asdict(report.counts) | more


def skipped_json(skipped: Sequence[BadRow]) -> list[dict[str, object]]:
    """Return the skipped rows for --json."""
    return [{"row": bad.row, "reason": f"{bad.field}: {bad.reason}"} for bad in skipped]


def print_report(report: ImportReport) -> None:
    """Print the result of an import for a person."""
    counts = report.counts
    typer.echo(f"{report.dataset}: read {numbered(counts.samples, 'sample')} and {numbered(counts.scores, 'score')},")
    typer.echo(
        f"  {counts.samples_added:,} of these samples and {counts.scores_added:,} of these scores are new;"
        f" {counts.samples - counts.samples_added:,} and {counts.scores - counts.scores_added:,} were stored before;"
    )
    broken = f", {len(report.unreadable):,} of them broken or too large" if report.unreadable else ""
    typer.echo(f"  pictures: {counts.images_found:,} found, {counts.images_missing:,} missing{broken}.")
    for note in report.notes:
        typer.echo(f"  {note}")
    for reason in report.unreadable[:SHOWN]:
        typer.echo(f"  Cannot open a picture: {reason}")
    print_skipped(report.skipped)


def print_skipped(skipped: Sequence[BadRow]) -> None:
    """Print the skipped rows."""
    if skipped:
        typer.echo(f"  Skipped {numbered(row_count(skipped), 'bad row')}:")
    lines = listed(same_errors(skipped))
    for line in lines:
        typer.echo(f"    {line}")
    if len(lines) < len(skipped):
        typer.echo("    --json lists all.")


def annotate_(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(metavar="DATASET")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="COCO instances file.")],
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Add regions from a COCO instances file to a data set's pictures.

    Pictures that already have regions are not changed.
    """
    with workplace(context, data_dir) as opened, progress_bar() as progress:
        report = annotate(opened, dataset, file, skip_bad, progress)
        opened.repository.audit.add(COMMAND_LINE, "pictures annotated", f"data set {dataset}")
    if as_json:
        print_json(asdict(report.counts) | {"dataset": report.dataset, "skipped": skipped_json(report.skipped)})
    else:
        counts = report.counts
        added = f"added {numbered(counts.regions_added, 'region')} to {numbered(counts.annotated_added, 'picture')}"
        typer.echo(f"{report.dataset}: {added};")
        typer.echo(f"  {counts.annotated:,} of {counts.pictures:,} pictures have annotated regions.")
        print_skipped(report.skipped)


def share(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(metavar="DATASET")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="A new folder.")],
    form: Annotated[
        str, typer.Option("--as", metavar="FORMAT", help=f"Format: {', '.join(one.name for one in WRITTEN)}.")
    ] = "huggingface",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Write a data set into a folder for other tools and `import`.

    The folder has the samples with their scores, and a data card (a description of the data set).
    """
    with workplace(context, data_dir) as opened, progress_bar() as progress:
        report = export_dataset(opened, dataset, form, to, progress)
    if as_json:
        print_json(asdict(report))
    else:
        _print_shared(report)


def _print_shared(report: ExportReport) -> None:
    typer.echo(f"{report.dataset}: wrote {numbered(report.samples, 'sample')} to {report.folder}, with a data card.")
    if report.left_out:
        typer.echo(f"  Skipped {len(report.left_out):,}:")
    for reason in report.left_out[:SHOWN]:
        typer.echo(f"    {reason}")
