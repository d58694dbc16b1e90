"""Print the results of `score`.

A result is one score or error, a report on the scoring of a data set, or an estimate.
"""

from dataclasses import asdict

import typer

from core.captions.language import NOTICE
from core.costs import Price
from core.types import Outcome, Score
from ui.commands.costs import cost_lines, estimate_lines, priced, second_lines
from ui.commands.options import print_json
from ui.services.scoring.estimate import Estimate
from ui.services.scoring.score_runs import Verified
from ui.services.scoring.scoring_report import ScoringReport
from ui.web.json.outcomes import printed_outcome

NO_SCORE = 3  # exit code: the one sample to score got no score, or the server refused all samples of a run


def show_estimate(estimate: Estimate, price: Price | None, as_json: bool) -> None:
    if as_json:
        print_json(asdict(estimate) | priced(estimate.usage, price))
        return
    for line in estimate_lines(estimate, price):
        typer.echo(line)


def show_outcome(outcome: Outcome, price: Price | None, as_json: bool) -> None:
    if as_json:
        print_json(printed_outcome(outcome) | priced(outcome.usage, price))
    elif isinstance(outcome, Score):
        _print_score(outcome)
    else:
        typer.echo(f"No score ({outcome.kind}): {outcome.message}", err=True)
    for line in () if as_json else cost_lines(outcome.usage, price):
        typer.echo(line)
    if not isinstance(outcome, Score):
        raise typer.Exit(NO_SCORE)


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


def show_report(report: ScoringReport, verified: Verified | None, price: Price | None, as_json: bool) -> None:
    if as_json:
        summary = asdict(report) | priced(report.usage, price)
        print_json(summary | ({"verified": asdict(verified)} if verified else {}))
        return
    typer.echo(
        f"{report.metric} on {report.dataset}: {report.scored:,} scored, {_number(report.errors, 'error')}, ", nl=False
    )
    typer.echo(f"{report.known:,} were scored before, {report.left:,} are left.")
    for errors in report.error_kinds:
        typer.echo(f"  {errors.count:,} {errors.kind}, e.g.: {errors.example}")
    if report.missing_bound:
        typer.echo(
            f"  Scores could be up to {report.missing_bound:.2g} higher, because the server does not report all "
            "probabilities."
        )
    if report.errors:
        typer.echo("  To score these samples again, add --retry-errors.")
    if report.earlier:
        typer.echo(
            f"  {report.earlier:,} scores from before this run have the signature of an earlier version. To score "
            "these samples again, add --renew."
        )
    judged = report.scored + report.errors
    for line in (*cost_lines(report.usage, price), *second_lines(report.seconds, judged)):
        typer.echo(line)
    if len(report.servers) > 1:
        typer.echo(f"  Answers: {', '.join(f'{count:,} from {url}' for url, count in report.servers.items())}")
    for signature in report.signatures if len(report.signatures) > 1 else (report.signature,):
        typer.echo(signature)
    if verified:
        typer.echo(
            f"{verified.samples} samples were also scored on this computer. "
            f"The two scores of a sample differ by {verified.mean:.2g} on average. "
            f"The largest difference is {verified.largest:.2g} (sample {verified.key})."
        )


def _number(count: int, noun: str) -> str:
    """Return a count with its noun: "1 error", "2 errors"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
