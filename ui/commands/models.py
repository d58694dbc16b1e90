"""`models`: list metrics' model weights, and download them."""

import hashlib
from collections.abc import Sequence
from typing import Annotated

import typer

from core.errors import ModelUnavailable
from core.metrics import Metric
from core.metrics.evaluator import metric_named
from core.metrics.plugins import known_metrics
from core.models import Checkpoint
from core.models.checkpoints import LLAVA_13B
from core.models.weights import (
    NOT_KNOWN,
    Availability,
    address,
    availability,
    cached_folder,
    fetch,
    file_path,
    is_on_hub,
    is_package,
    known_checkpoint,
    revision_text,
    size_text,
)
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
    states = [state for metric in metrics for state in availability(metric.name, metric.checkpoints)]
    if as_json:
        print_json([state_json(state) for state in states])
    else:
        _print(states)
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
    """Download a metric's weights into the Hugging Face cache, or resume a download."""
    settings = settings_of(context)
    wanted = (
        metric_named(metric, known_metrics(settings.plugin)).checkpoints
        if model is None
        else (known_checkpoint(model),)
    )
    for state in availability(metric, wanted):
        if not is_on_hub(state.checkpoint) and state.folder is None:
            typer.echo(f"{state.checkpoint.repo} is not on the Hugging Face hub: {state.how}.", err=True)
    on_hub = [one for one in wanted if is_on_hub(one)]
    missing = [one for one in on_hub if cached_folder(one) is None]
    for checkpoint in on_hub:
        if checkpoint not in missing:
            typer.echo(f"{checkpoint.repo} is at {cached_folder(checkpoint)}")
            continue
        typer.echo(f"Fetching {checkpoint.repo} ({size_text(checkpoint)}) ...", err=True)
        typer.echo(f"{checkpoint.repo} is at {fetch(checkpoint, settings.network)}")


def state_json(state: Availability) -> dict[str, object]:
    """Return the state of a metric's weights for `models --json`."""
    checkpoint = state.checkpoint
    return {
        "metric": state.metric,
        "purpose": checkpoint.purpose,
        "repo": checkpoint.repo,
        "address": address(checkpoint),
        "revision": revision_text(checkpoint),
        "sha256": checksum_text(checkpoint),
        "state": state_of(state),
        "size_gb": checkpoint.size_gb,
        "licence": checkpoint.licence,
        "present": state.folder is not None,
        "folder": None if state.folder is None else str(state.folder),
        "how": state.how if state.folder is None else None,
    }


SERVE = (
    f"vllm serve {LLAVA_13B.repo} --revision {LLAVA_13B.revision} --dtype float16 --max-model-len 2048 "
    "--chat-template assets/llava_v1.jinja --generation-config vllm --limit-mm-per-prompt '{\"image\":1}'"
)


def _print_server(settings: Settings, metrics: Sequence[type[Metric]]) -> None:
    """Print how to run large models on a model server.

    If the settings name a server, also print whether it answers now, and which models it has.
    """
    typer.echo(
        f"Metrics that run on a model server: {', '.join(metric.name for metric in metrics if metric.can_use_server)}"
    )
    typer.echo(f"  To start a server: {SERVE}")
    endpoint = settings.model_server()
    if endpoint is None:
        typer.echo("  To use the server: --endpoint http://HOST:8000/v1, or CAPSCOPE_ENDPOINT")
        return
    from core.models.connecting import serves

    try:
        typer.echo(f"  {endpoint.url} answers: {serves(endpoint)}")
    except ModelUnavailable as error:
        typer.echo(f"  {error}")


def checksum_text(checkpoint: Checkpoint) -> str:
    """Return the SHA-256 of a file, the name of the file that has it, or "not known"."""
    if is_package(checkpoint):
        return "in requirements.lock"
    return checkpoint.sha256 or NOT_KNOWN


def state_of(state: Availability) -> str:
    """Return the state of weights in one word.

    The words are whole, wrong (not the published file) and missing.
    """
    if state.folder is None:
        return "missing"
    known, file = state.checkpoint.sha256, file_path(state.checkpoint)
    if known is None or not file.is_file():
        return "whole"
    with file.open("rb") as content:
        return "whole" if hashlib.file_digest(content, "sha256").hexdigest() == known else "wrong"


def _print(states: list[Availability]) -> None:
    metric = None
    for state in states:
        if state.metric != metric:
            metric = state.metric
            typer.echo(metric)
        checkpoint = state.checkpoint
        facts = f"revision {revision_text(checkpoint)}, {size_text(checkpoint)}, {checkpoint.licence}"
        typer.echo(f"  {state_of(state):7}  {checkpoint.repo} ({checkpoint.purpose})")
        typer.echo(f"           {facts}")
        typer.echo(f"           {address(checkpoint)}, sha256 {checksum_text(checkpoint)}")
        typer.echo(f"           {state.folder or 'download it with: ' + state.how}")
