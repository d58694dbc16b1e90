"""`models`: list metrics' model weights, and download them."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from core.errors import ModelUnavailable
from core.metrics import Metric
from core.metrics.evaluator import metric_named
from core.metrics.plugins import known_metrics
from core.models.checkpoints import Checkpoint, known_checkpoint
from core.models.weights import fetch
from ui.commands.options import AsJson, Plugin, print_json, settings_of
from ui.settings import Settings


def register(cli: typer.Typer) -> None:
    """Add the commands of `models`."""
    group = typer.Typer(help="List the weights that metrics need, and download them.", invoke_without_command=True)
    cli.add_typer(group, name="models")
    group.callback()(list_)
    group.command("fetch")(fetch_)


def list_(context: typer.Context, as_json: AsJson = False, plugin: Plugin = None) -> None:
    """List the weights of each metric.

    For each metric, print the revision, size and licence, whether the weights are present, and how to get them.
    """
    if context.invoked_subcommand is not None:
        return
    settings = settings_of(context)
    metrics = known_metrics(settings.with_options(plugin=plugin).plugin)
    entries = [entry(metric, checkpoint) for metric in metrics for checkpoint in metric.checkpoints]
    if as_json:
        print_json(entries)
        return
    for place, one in enumerate(entries):
        if place == 0 or entries[place - 1]["metric"] != one["metric"]:
            typer.echo(one["metric"])
        typer.echo(f"  {'present' if one['present'] else 'missing'}  {one['repo']} ({one['purpose']})")
        typer.echo(f"           revision {one['revision']}, {one['size_gb']:g} GB, {one['licence']}")
        typer.echo(f"           {one['address']}")
        typer.echo(f"           {one['folder'] or 'to get it: ' + str(one['how'])}")
    free = [metric.name for metric in metrics if not metric.checkpoints and not metric.can_use_server]
    if free:
        typer.echo(f"Metrics without weights: {', '.join(free)}")
    _print_server(settings, metrics)


def fetch_(
    context: typer.Context,
    metric: Annotated[str, typer.Argument(metavar="METRIC")],
    model: Annotated[
        str | None, typer.Option(help="Another repository of the Hugging Face hub; default: the metric's repository.")
    ] = None,
) -> None:
    """Download a metric's weights. From the hub, a download that was interrupted is resumed."""
    settings, missing = settings_of(context), 0
    own = metric_named(metric, known_metrics(settings.plugin)).checkpoints if model is None else ()
    if model is None and not own:
        typer.echo(f"{metric} needs no weights.")
    for checkpoint in own if model is None else (known_checkpoint(model),):
        folder = checkpoint.folder()
        if folder is None and checkpoint.can_be_fetched:
            typer.echo(f"Fetching {checkpoint.repo} ({checkpoint.size}) ...", err=True)
            try:
                folder = fetch(checkpoint)
            except ModelUnavailable as problem:  # the other weights may come from another server
                typer.echo(problem, err=True)
                missing += 1
                continue
        if folder is None:
            typer.echo(f"{checkpoint.repo} cannot be fetched: {checkpoint.how(metric)}.", err=True)
        else:
            typer.echo(f"{checkpoint.repo} is at {folder}")
    if missing:
        raise ModelUnavailable(f"{missing} of the downloads failed. Run the same command again.")


def entry(metric: type[Metric], checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the facts about weights that `models --json` prints."""
    folder = checkpoint.folder()
    return {
        "metric": metric.name,
        "purpose": checkpoint.purpose,
        "repo": checkpoint.repo,
        "address": checkpoint.page,
        "revision": checkpoint.revision,
        "size_gb": checkpoint.size_gb,
        "licence": checkpoint.licence,
        "present": folder is not None,
        "folder": None if folder is None else str(folder),
        "how": checkpoint.how(metric.name) if folder is None else None,
    }


def _print_server(settings: Settings, metrics: Sequence[type[Metric]]) -> None:
    """Print which metrics can run on a model server, and whether the server of the settings answers now."""
    served = ", ".join(metric.name for metric in metrics if metric.can_use_server)
    typer.echo(f"Metrics that run on a model server (--endpoint or CAPSCOPE_ENDPOINT): {served}")
    endpoint = settings.model_server()
    if endpoint is None:
        return
    from core.models.connecting import serves

    try:
        typer.echo(f"  {endpoint.url} answers: {serves(endpoint)}")
    except ModelUnavailable as error:
        typer.echo(f"  {error}")
