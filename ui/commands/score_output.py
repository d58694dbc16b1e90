"""Print the results of `score`: one score or error, or a report on the scoring of a data set."""

from collections.abc import Iterator
from dataclasses import asdict

import typer

from core.captions.english import NOTICE
from core.costs import Seconds, Usage
from core.types import Outcome, Score
from ui.commands.options import print_json
from ui.services.scoring.scoring_report import ScoringReport
from ui.web.json.outcomes import printed_outcome

NO_SCORE = 3  # exit code: the one sample to score got no score, or the server refused all samples of a run
FAILED = 4  # exit code: the metric's own code failed on some samples


def show_outcome(outcome: Outcome, as_json: bool) -> None:
    """Print one score or error. Raises typer.Exit for an error."""
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


def show_report(report: ScoringReport, as_json: bool) -> None:
    """Print what a run over a data set has scored."""
    if as_json:
        print_json(asdict(report))
        return
    errors = f"{report.errors:,} error{'' if report.errors == 1 else 's'}"
    typer.echo(f"{report.metric} on {report.dataset}: {report.scored:,} scored, {errors}, ", nl=False)
    typer.echo(f"{report.known:,} were scored before, {report.left:,} are left.")
    for one in report.error_kinds:
        typer.echo(f"  {one.count:,} {one.kind}, e.g.: {one.example}")
        if one.kind == "failed":
            typer.echo("  This is a mistake in the metric's code and not in the captions. Please report it.")
    if report.missing_bound:
        typer.echo(
            f"  Scores could be up to {report.missing_bound:.2g} higher, because the server does not report all "
            "probabilities."
        )
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
