"""`score`: score one caption, or score a whole data set and store the scores in the database."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from core.costs import price_of
from core.engines.ray_data import Cluster
from core.errors import BadSetting
from core.metrics import SERVED
from core.metrics.evaluator import Evaluator
from core.metrics.plugins import known_metrics
from core.models import TIMEOUT_S, ModelSettings, OnChange
from ui.commands.costs import PriceOption
from ui.commands.options import AsJson, DataDir, Plugin, settings_of, workplace
from ui.commands.score_options import check_dry_run, check_sample, cluster_of, metric_options, sampling_options
from ui.commands.score_output import show_outcome
from ui.commands.score_ways import (
    Check,
    DatasetJob,
    estimate_run,
    score_dataset,
    score_sample,
)
from ui.services.scoring import scoring_plan
from ui.setting_values import endpoint_url


def register(cli: typer.Typer) -> None:
    """Add the command `score`."""
    cli.command()(score)


def score(
    context: typer.Context,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="A metric; `models` lists all.")],
    image: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The caption's picture; not needed for metrics that read only text."),
    ] = None,
    caption: Annotated[str | None, typer.Option(metavar="TEXT", help="Score this caption.")] = None,
    reference: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="Reference; repeatable.")] = None,
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help="Score a data set and store the scores.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also request an explanation.")] = False,
    model: Annotated[
        str | None, typer.Option(help="Repository of the Hugging Face hub, or folder; default: the metric's model.")
    ] = None,
    adapter: Annotated[
        str | None, typer.Option(help="LoRA adapter: repository of the Hugging Face hub, or folder; or none.")
    ] = None,
    endpoint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help=(
                "Address of a model server. Repeat it to share the work among several servers. "
                "[env: CAPSCOPE_ENDPOINT, CAPSCOPE_ENDPOINT_KEY]"
            ),
        ),
    ] = None,
    endpoint_model: Annotated[str | None, typer.Option(metavar="NAME", help="The model's name on the server.")] = None,
    parallel: Annotated[int, typer.Option(min=1, help="Number of parallel requests to each server.")] = 8,
    rate: Annotated[
        float | None, typer.Option(min=0.001, metavar="R", help="Maximum number of requests per minute to each server.")
    ] = None,
    tokens_per_min: Annotated[
        float | None,
        typer.Option(min=1, metavar="T", help="Maximum number of tokens per minute, to and from each server."),
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.001, metavar="S", help="Maximum seconds to wait for an answer, before the sample gets an error."
        ),
    ] = TIMEOUT_S,
    max_errors: Annotated[
        int, typer.Option(min=1, metavar="N", help="Stop if the server refuses N samples in a row.")
    ] = scoring_plan.MAX_ERRORS,
    on_change: Annotated[
        OnChange,
        typer.Option(help="What to do if the server's model changes: stop, use a new signature, or ignore the change."),
    ] = "stop",
    renew: Annotated[
        bool, typer.Option("--renew", help="Also score samples again if their scores are from an earlier version.")
    ] = False,
    engine: Annotated[
        str | None, typer.Option(metavar="ray", help="Score a data set on many computers, or in many processes.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster, or auto; default: start a cluster on this computer.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes that load the metric.")] = 2,
    gpus_per_worker: Annotated[float, typer.Option(min=0.0, help="Number of GPUs for each process.")] = 0.0,
    ship_pictures: Annotated[
        bool,
        typer.Option(
            "--ship-pictures",
            help="Send the pictures to the workers. Without this option, workers read them from the same paths.",
        ),
    ] = False,
    verify: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Also score N samples on this computer, and compare with the server."),
    ] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1 ...")] = "auto",
    batch_size: Annotated[int, typer.Option(min=1, help="Number of samples scored together.")] = 8,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many samples of the data set.")] = None,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="Also score samples again if they ended in an error.")
    ] = False,
    strict_reference: Annotated[
        bool,
        typer.Option("--strict-reference", help="Compute exactly as the published code does, including its mistakes."),
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(metavar="N", help="With a server: the score is the mean of N sampled answers, without smoothing."),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="Temperature of the sampled answers; needs --samples.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the metric; repeatable.")
    ] = None,
    regions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=(
                "HICE-S: a COCO instances file with the pictures' regions. Default: the annotated regions of the "
                "data set (pictures without annotations then get no score); if the data set has none, MobileSAMv2 "
                "finds regions."
            ),
        ),
    ] = None,
    trust_weights: Annotated[
        bool,
        typer.Option(
            "--trust-weights",
            help="HICE-S: also load weight files that can run code. Use this only for files that you trust.",
        ),
    ] = False,
    overlay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="HICE-S: draw the regions into a .svg or .png file.")
    ] = None,
    timings: Annotated[
        bool, typer.Option("--timings", help="Print the seconds of each step; for a data set, also store them.")
    ] = False,
    price: PriceOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Score nothing; estimate tokens, time and cost of scoring the data set.")
    ] = False,
    measure: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --dry-run: score N samples to estimate the cost of all samples."),
    ] = None,
    as_json: AsJson = False,
    plugin: Plugin = None,
    data_dir: DataDir = None,
) -> None:
    """Score one caption, or all samples of a data set that have no score of the metric yet."""
    settings = settings_of(context)
    metrics = known_metrics(settings.with_options(plugin=plugin).plugin)
    evaluator = Evaluator(metrics)
    kind = evaluator.kind(metric)  # reports a wrong name before anything is opened or loaded
    prices = None if price is None else price_of(price)
    server = None
    if endpoint or endpoint_model:
        server = settings.model_server(endpoint[0] if endpoint else None, endpoint_model, parallel, timeout)
    if (server is None and issubclass(kind, SERVED) and not (model or adapter)) or verify:
        server = server or settings.model_server(parallel=parallel, timeout_s=timeout)
    if server is not None:
        server = replace(server, on_change=on_change, rate=rate, tokens_per_min=tokens_per_min)
        server = replace(server, others=tuple(endpoint_url(url, "--endpoint") for url in (endpoint or ())[1:]))
    wanted = ModelSettings(
        model=model,
        adapter=adapter,
        endpoint=server,
        device=device,
        batch_size=batch_size,
        explain=explain,
        strict_reference=strict_reference,
        cache_dir=settings.with_options(data_dir=data_dir).data_dir / "image-features",
        options=metric_options(option or (), regions, trust_weights) | sampling_options(samples, temperature),
    )
    here = replace(wanted, endpoint=None)
    cluster = cluster_of(engine, dataset, wanted, Cluster(address, workers, gpus_per_worker, ship_pictures))
    check_dry_run(dry_run, measure, dataset, verify > 0 or cluster is not None)
    if verify:
        if server is None or dataset is None:
            raise BadSetting("--verify compares a server's scores of a data set, so it needs --dataset and --endpoint.")
        wanted = replace(wanted, model=None, adapter=None)  # --model and --adapter are only for the local model
    if dataset is None:
        check_sample(kind, image, caption, overlay)
        assert caption is not None
        outcome = score_sample(evaluator, metric, wanted, image, caption, reference or (), overlay, timings)
        return show_outcome(outcome, prices, as_json)
    if image is not None or caption is not None or reference or overlay is not None:
        raise BadSetting(
            "--image, --caption, --reference and --overlay are for a single caption. Remove them if you use --dataset."
        )
    job = DatasetJob(
        dataset, metric, kind, evaluator, wanted, limit, retry_errors, renew, max_errors, timings, prices, as_json
    )
    opening = workplace(context, data_dir, plugin)
    if dry_run:
        estimate_run(job, opening, measure)
    else:
        score_dataset(job, opening, cluster, Check(Evaluator(metrics), here, verify) if verify else None)
