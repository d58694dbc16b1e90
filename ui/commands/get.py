"""`get`: list published data, fetch them from their authors' repositories, and import them."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from core.datasets.published_files import PublishedData, published_named
from core.errors import BadSetting, CapscopeError, Unreachable
from core.installation import COMMAND
from core.network import Downloads
from ui.commands.data import print_report, report_json
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, settings_of, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.importing.coco_pictures import BY_HAND, PAUSE_S, CocoReport, get_coco_pictures
from ui.services.importing.published import State, get_published, states
from ui.services.workplace import Workplace
from ui.setting_values import mirror_url

COCO_PICTURES = "coco-pictures"
FAILED = 2  # exit code
SHOWN = 10  # maximum number of failed pictures to print; --json lists all
STATES: dict[State, str] = {"imported": "imported", "fetched": "files downloaded", "absent": "not here"}
Mirror = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="Address of a mirror of GitHub's raw files, used instead of GitHub. [env: CAPSCOPE_MIRROR]"
    ),
]


def register(cli: typer.Typer) -> None:
    """Add the command `get`."""
    cli.command()(get)


def get(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Names from the list, or all.")] = None,
    mirror: Mirror = None,
    images: Annotated[
        list[Path] | None,
        typer.Option(help="Folder or ZIP file with pictures that you downloaded yourself; repeatable."),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(help="Data set whose COCO pictures are missing; only for coco-pictures.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of pictures to download; only for coco-pictures.")
    ] = None,
    pause: Annotated[
        float, typer.Option(min=0, metavar="S", help="Seconds between two downloads; only for coco-pictures.")
    ] = PAUSE_S,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Fetch published data and import them. Without a name: list them, and fetch nothing.

    `get coco-pictures --dataset NAME` fetches COCO's pictures that a data set lacks.
    """
    if names and COCO_PICTURES in names:
        if len(names) > 1 or dataset is None:
            raise BadSetting(f"Get {COCO_PICTURES} alone, with --dataset NAME.")
        paths = None if mirror is None else mirror_url(mirror, "--mirror")  # ignore the settings' mirror: it lacks COCO
        downloads = replace(settings_of(context).downloads, mirror=paths)
        with workplace(context, data_dir) as opened, progress_bar() as progress:
            report = get_coco_pictures(opened, dataset, downloads, progress, limit=limit, pause_s=pause)
            opened.repository.audit.add(COMMAND_LINE, "pictures fetched", f"data set {dataset}")
        _print_pictures(report, as_json)
        return
    if dataset is not None or limit is not None:
        raise BadSetting(f"--dataset and --limit work only with {COCO_PICTURES}.")
    wanted = list(dict.fromkeys(data for name in names or () for data in published_named(name)))
    downloads = settings_of(context).downloads
    if mirror is not None:
        downloads = replace(downloads, mirror=mirror_url(mirror, "--mirror"))
    with workplace(context, data_dir) as opened:
        if wanted:
            _get_all(opened, wanted, downloads, images or (), as_json)
        else:
            _list(opened, as_json)


def _get_all(
    opened: Workplace,
    wanted: list[PublishedData],
    downloads: Downloads,
    images: Sequence[Path],
    as_json: bool,
) -> None:
    """Get published data sets one after the other.

    If one data set fails, the next ones are still fetched. But if the server does not answer, the remaining ones are
    not fetched.
    """
    results: list[dict[str, object]] = []
    failed = False
    for data in wanted:
        try:
            with progress_bar() as progress:
                report = get_published(opened, data, downloads, progress, images=images)
        except CapscopeError as error:
            if len(wanted) == 1:
                raise
            print(f"Error: {error}", file=sys.stderr)
            failed = True
            if isinstance(error, Unreachable):
                break
            continue
        opened.repository.audit.add(COMMAND_LINE, "data imported", f"data set {data.name}, from published data")
        if as_json:
            results.append(report_json(report))
        else:
            print_report(report)
    if as_json:
        print_json(results)
    if failed:
        raise typer.Exit(FAILED)


def _print_pictures(report: CocoReport, as_json: bool) -> None:
    """Print the result of fetching pictures. Raises typer.Exit if the server stopped answering."""
    if as_json:
        print_json(asdict(report))
    else:
        typer.echo(
            f"{report.dataset}: {report.fetched:,} pictures downloaded; {report.shown:,} pictures of the data set "
            "are now available for the first time;"
        )
        typer.echo(f"  COCO pictures that are still missing: {report.missing:,}.")
        if report.others:
            typer.echo(f"  Missing pictures of other collections: {report.others:,}. {BY_HAND}")
        for reason in report.failed[:SHOWN]:
            typer.echo(f"  {reason}")
        if len(report.failed) > SHOWN:
            typer.echo(f"  ... and {len(report.failed) - SHOWN:,} more; --json lists all.")
        typer.echo(
            "  Each picture has the licence that its photographer chose. COCO's annotation file lists the licences."
        )
    if report.stopped:
        print(f"Error: {report.stopped} Run the same command again to continue.", file=sys.stderr)
        raise typer.Exit(FAILED)


def _list(opened: Workplace, as_json: bool) -> None:
    every = published_named("all")
    listed = list(zip(every, states(opened, every), strict=True))
    if as_json:
        names = ("name", "summary", "licence", "citation", "pictures")
        print_json(
            [
                {name: getattr(data, name) for name in names}
                | {"bytes": data.size, "state": state, "files": [data.address(file) for file in data.all_files]}
                for data, state in listed
            ]
        )
        return
    for data, state in listed:
        size = "size unknown" if data.size is None else f"{data.size / 1e6:.1f} MB"
        typer.echo(f"{data.name}  ({size}, {STATES[state]})")
        typer.echo(f"    {data.summary}")
        typer.echo(f"    licence: {data.licence}")
        typer.echo(f"    cite: {data.citation}")
        typer.echo(f"    from https://github.com/{data.repository}")
    typer.echo(f"To download and import: {COMMAND} get NAME, or {COMMAND} get all. Nothing was downloaded now.")
