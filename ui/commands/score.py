"""`score`: score one caption, or score a whole data set and store the scores in the database."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from core.captions.english import NOTICE
from core.costs import Seconds, Usage
from core.engines.ray_workers import Cluster
from core.errors import BadSetting
from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.metrics.plugins import known_metrics
from core.models import TIMEOUT_S, Endpoint, ModelSettings
from core.types import Outcome, Score
from ui.commands.options import AsJson, DataDir, Plugin, pairs_of, print_json, progress_bar, settings_of, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import MAX_ERRORS, Shard, plan_scoring, sample_of
from ui.services.scoring.scoring_report import ScoringReport
from ui.settings import Settings
from ui.web.json.outcomes import printed_outcome

# Names of --option that set how a metric's model or the run works. All other names are the metric's own.
OF_RUN = ("adapter", "device", "batch", "strict", "parallel", "workers", "ray", "gpus")
NO_SCORE = 3  # exit code: the one sample to score got no score, or the server refused all samples of a run
FAILED = 4  # exit code: the metric's own code failed on some samples


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
        str | None,
        typer.Option(help="Repository of the Hugging Face hub, folder or file; with --endpoint the server's model."),
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="Address of a model server. [env: CAPSCOPE_ENDPOINT]")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help=f"An option of the metric, or of the run: {', '.join(OF_RUN)}. Repeatable.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many samples of the data set.")] = None,
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Score only part I of N parts of the data set, for a batch system.")
    ] = "1/1",
    timeout: Annotated[
        float, typer.Option(min=0.001, metavar="S", help="Seconds to wait for a server's answer.")
    ] = TIMEOUT_S,
    max_errors: Annotated[
        int, typer.Option(min=1, metavar="N", help="Stop if the server refuses N samples in a row.")
    ] = MAX_ERRORS,
    as_json: AsJson = False,
    plugin: Plugin = None,
    data_dir: DataDir = None,
) -> None:
    """Score one caption, or all samples of a data set that have no score of the metric yet."""
    settings = settings_of(context)
    evaluator = Evaluator(known_metrics(settings.with_options(plugin=plugin).plugin))
    kind = evaluator.kind(metric)  # reports a wrong name before anything is opened or loaded
    own, run = _options(option)
    server = _server(settings, kind, endpoint, model, run, timeout)
    wanted = ModelSettings(
        model=None if server else model,
        adapter=run.get("adapter"),
        endpoint=server,
        device=run.get("device", "auto"),
        batch_size=_number(run, "batch", 8),
        explain=explain,
        strict_reference=run.get("strict") == "yes",
        options=own,
    )
    if dataset is None:
        _check_sample(kind, image, caption, reference or ())
        assert caption is not None
        sample = sample_of(image, caption, tuple(reference or ()))
        with progress_bar():
            (outcome,) = evaluator.evaluate_timed(metric, [sample], wanted)
        _show_outcome(outcome, as_json)
        return
    if image is not None or caption is not None or reference:
        raise BadSetting("--image, --caption and --reference are for a single caption. Remove them to use --dataset.")
    with workplace(context, data_dir, plugin) as opened:
        plan = plan_scoring(opened, evaluator, metric, dataset, wanted, limit, Shard.read(shard))
        plan = replace(plan, max_errors=max_errors, cluster=_cluster(run))
        opened.repository.audit.add(COMMAND_LINE, "scored", f"data set {dataset} by {metric}")
        with progress_bar() as progress:
            report = run_scoring(opened, evaluator, plan, progress)
    _show_report(report, as_json)
    kinds = {errors.kind for errors in report.error_kinds}
    if "failed" in kinds:
        raise typer.Exit(FAILED)
    if not report.scored and "refused" in kinds:
        raise typer.Exit(NO_SCORE)


def _options(given: Sequence[str] | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return the metric's own options and the run's options. Raises BadSetting."""
    options = pairs_of("--option", given)
    run = {name: value for name, value in options.items() if name in OF_RUN}
    if run.get("strict", "no") not in ("yes", "no"):
        raise BadSetting(f"The option strict must be yes or no, found {run['strict']!r}.")
    return {name: value for name, value in options.items() if name not in OF_RUN}, run


def _number(run: dict[str, str], name: str, usual: int) -> int:
    text = run.get(name, str(usual))
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise BadSetting(f"The option {name} must be a whole number above 0, found {text!r}.")
    return int(text)


def _server(
    settings: Settings, kind: type[Metric], endpoint: str | None, model: str | None, run: dict[str, str], timeout: float
) -> Endpoint | None:
    """Return the model server to use. A server of the environment is used only by metrics without --model."""
    parallel = _number(run, "parallel", 8)
    if endpoint is not None:
        return settings.model_server(endpoint, model, parallel, timeout)
    if model or "adapter" in run or not kind.can_use_server:
        return None
    return settings.model_server(parallel=parallel, timeout_s=timeout)


def _cluster(run: dict[str, str]) -> Cluster | None:
    """Return the Ray cluster to use; None: score in this process."""
    if "workers" not in run and "ray" not in run:
        return None
    try:
        gpus = float(run.get("gpus", "0"))
    except ValueError as error:
        raise BadSetting(f"The option gpus must be a number, found {run['gpus']!r}.") from error
    return Cluster(run.get("ray"), _number(run, "workers", 2), gpus)


def _check_sample(kind: type[Metric], image: Path | None, caption: str | None, references: Sequence[str]) -> None:
    """Raise BadSetting if the caption, a needed picture or a needed reference is missing."""
    given = {"--image FILE": image, "--caption TEXT": caption, "--reference TEXT": references}
    needed = {"--image FILE": kind.needs_image, "--caption TEXT": True, "--reference TEXT": kind.requires_references}
    needs = [name for name, is_needed in needed.items() if is_needed]
    if kind.needs_corpus:
        raise BadSetting(f"{kind.name} needs --dataset NAME, because it computes weights from a whole data set.")
    if not all(given[name] for name in needs):
        raise BadSetting(f"{kind.name} needs {' and '.join(needs)}, or --dataset NAME.")


def _show_outcome(outcome: Outcome, as_json: bool) -> None:
    if as_json:
        print_json(printed_outcome(outcome))
    elif isinstance(outcome, Score):
        _print_score(outcome)
    else:
        typer.echo(f"No score ({outcome.kind}): {outcome.message}", err=True)
    for line in () if as_json else (*usage_lines(outcome.usage), *second_lines(outcome.seconds, 1)):
        typer.echo(line, err=True)
    if not isinstance(outcome, Score):
        raise typer.Exit(FAILED if outcome.kind == "failed" else NO_SCORE)


def _print_score(outcome: Score) -> None:
    raw = outcome.components.get("raw")
    typer.echo(f"{outcome.metric}: {outcome.value:.4f}" + ("" if raw is None else f" (raw {raw})"))
    for name, text in outcome.explanation.rationales.items():
        typer.echo(f"{name.capitalize()}: {text}")
    if not outcome.explanation.is_read:
        typer.echo(NOTICE)
    for phrase in outcome.explanation.phrases:
        typer.echo(f"  {phrase.support:.3f}  {phrase.text}")
    typer.echo(outcome.signature)


def _show_report(report: ScoringReport, as_json: bool) -> None:
    if as_json:
        print_json(asdict(report))
        return
    errors = f"{report.errors:,} error{'' if report.errors == 1 else 's'}"
    typer.echo(f"{report.metric} on {report.dataset}: {report.scored:,} scored, {errors}, ", nl=False)
    typer.echo(f"{report.known:,} were scored before, {report.left:,} are left.")
    for one in report.error_kinds:
        typer.echo(f"  {one.count:,} {one.kind}, e.g.: {one.example}")
        if one.kind == "failed":
            typer.echo("  This is a mistake in the metric's code and not in the captions.")
    for line in (*usage_lines(report.usage), *second_lines(report.seconds, report.scored + report.errors)):
        typer.echo(line)
    typer.echo(report.signature)


def usage_lines(usage: Usage | None) -> Iterator[str]:
    """Yield a line with the number of tokens. Yield nothing if no server counted any."""
    if usage is None:
        return
    yield f"Tokens: {usage.prompt:,} in prompts, {usage.completion:,} in answers."


def second_lines(seconds: Seconds, samples: int) -> Iterator[str]:
    """Yield lines with the seconds of each part of the work. A model is loaded once, so loading has one time."""
    for part, took in seconds.items():
        of_each = "" if part == "load" or samples < 2 else f", {took / samples:.3g} s per sample"
        yield f"{took:8.2f} s  {'loading' if part == 'load' else part}{of_each}"
