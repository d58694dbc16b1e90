"""`study plan`: forecast raters, hours, cost and statistical power of a study before it is made."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import BadSetting
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form_file
from core.studies.asking.shipped_forms import form_named
from core.studies.planning.duration import OPENING_SECONDS, before_seconds
from core.studies.planning.forecast import LIKE
from ui.commands.options import AsJson, By, DataDir, print_json, workplace

if TYPE_CHECKING:
    from core.studies.planning.forecast import Coverage
    from ui.services.studies.forecasts import PowerRow, StudyForecast


def plan(
    context: typer.Context,
    items: Annotated[int, typer.Option(min=1, help="Number of items in the study.")],
    raters_per_item: Annotated[int, typer.Option(min=1, help="Raters per item.")] = 3,
    items_per_rater: Annotated[
        int | None, typer.Option(min=1, help="Number of items that each rater gets; default: all.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(help="The study's form. The plan includes its practice items, criteria, check and example."),
    ] = None,
    form_file: Annotated[Path | None, typer.Option(help="File with your own form, instead of --form.")] = None,
    practice: Annotated[
        int | None, typer.Option(min=0, help="Number of practice items per rater; default: the form's, or 0.")
    ] = None,
    gold_every: Annotated[int | None, typer.Option(min=1, help="One gold item in every N items.")] = None,
    repeat_every: Annotated[int | None, typer.Option(min=1, help="One repeated item in every N items.")] = None,
    seconds_per_item: Annotated[float, typer.Option(min=0, help="Seconds that a rater needs for an item.")] = 30.0,
    drop_out: Annotated[
        float, typer.Option(min=0, max=99, help="Raters who start but do not finish, in per cent.")
    ] = 0.0,
    raters: Annotated[
        int | None, typer.Option(min=1, help="Number of raters to invite; the plan shows their work, hours and cost.")
    ] = None,
    rate: Annotated[float | None, typer.Option(min=0, help="Hourly pay, in your currency.")] = None,
    reward: Annotated[float | None, typer.Option(min=0, help="What the platform pays each rater.")] = None,
    fee: Annotated[float, typer.Option(min=0, help="The platform's fee, in per cent of the pay.")] = 0.0,
    difference: Annotated[
        float | None,
        typer.Option(
            help="Difference between two metrics, in rating points; prints the probability that the study detects it."
        ),
    ] = None,
    like: Annotated[
        str,
        typer.Option(help=f"Assumed distribution of ratings: as in this study, or a typical one: {', '.join(LIKE)}."),
    ] = LIKE[0],
    samples: Annotated[
        int | None,
        typer.Option(help="Number of samples, if each sample has one item per metric; default: one sample per item."),
    ] = None,
    metrics: Annotated[int, typer.Option(min=2, max=10, help="Number of metrics that are compared.")] = 2,
    criteria: Annotated[
        int | None,
        typer.Option(min=1, max=20, help="Number of criteria that raters answer; default: the form's, or 1."),
    ] = None,
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Forecast a study's number of raters, hours, cost and statistical power.

    The statistical power is the probability of detecting a difference between metrics.
    """
    from ui.services.studies.forecasts import PlanQuestion, study_forecast  # imports scipy, which --help does not need

    asked = _asked(form, form_file)
    question = PlanQuestion(
        items=items,
        ratings_per_item=raters_per_item,
        items_per_rater=items_per_rater,
        practice=(asked.practice_items if asked else 0) if practice is None else practice,
        gold_every=gold_every,
        repeat_every=repeat_every,
        item_seconds=seconds_per_item,
        opening_seconds=before_seconds(asked) if asked else OPENING_SECONDS,
        drop_out=drop_out / 100,
        hourly_rate=rate,
        fee=fee / 100,
        reward=reward,
        like=like,
        difference=difference,
        metrics=metrics,
        raters=raters,
        samples=samples,
        criteria=(max(1, len(asked.criteria)) if asked else 1) if criteria is None else criteria,
    )
    with workplace(context, data_dir, by=by) as opened:
        answer = study_forecast(opened, question)
    if as_json:
        print_json(asdict(answer))
        return
    for line in forecast_lines(answer, items, difference):
        typer.echo(line)


def _asked(key: str | None, file: Path | None) -> Form | None:
    """Return the form (a study's questions) that the options name, or None.

    None: no option names a form. Raises BadSetting, NotFound and the errors of read_form_file.
    """
    if key is not None and file is not None:
        raise BadSetting("Give either --form or --form-file.")
    if file is not None:
        return read_form_file(file)
    return None if key is None else form_named(key)


def forecast_lines(answer: "StudyForecast", items: int, difference: float | None) -> list[str]:
    """Return the forecast as sentences."""
    needed = answer.forecast
    more = f"; invite {needed.starting}, because some leave before the end" if needed.starting > needed.raters else ""
    lines = [
        f"{needed.item_ratings:,} item ratings by {_number(needed.raters, 'rater')}{more}.",
        f"Each rater gets {needed.each.words}, about {_number(needed.announced, 'minute')}. All raters together work "
        f"{needed.hours:.1f} hours.",
    ]
    if needed.cost is not None:
        fee = f" With the platform's fee of {needed.fee:,.2f}, the total is {needed.cost:,.2f}." if needed.fee else ""
        lines.append(f"Pay: {needed.pay_each:.2f} for each rater, {needed.pay:,.2f} in total.{fee}")
    if answer.coverage is not None:
        lines += coverage_lines(answer.coverage, items)
    if difference is not None:
        lines += [_power_line(row, items, difference) for row in answer.rows]
        tests = f"{answer.tests} tests" if answer.tests > 1 else "one test"
        lines.append(f"Simulated test, as in reports: Wilcoxon at 5 %, with Holm's correction for {tests}.")
        lines.append(answer.source)
    return lines


def coverage_lines(covered: "Coverage", items: int) -> list[str]:
    """Return sentences about the ratings that the invited raters can give.

    The sentences also state the raters' hours and their pay.
    """
    finish = "" if covered.finishing == covered.invited else f", of whom {covered.finishing:,} finish"
    lines = [
        f"If you invite {_number(covered.invited, 'rater')}{finish}: {_number(covered.item_ratings, 'item rating')}.",
    ]
    if covered.items is None:
        more = f", and {_number(covered.items_with_more, 'item')} get one more" if covered.items_with_more else ""
        lines.append(f"Each item gets {_number(covered.ratings_per_item, 'rating')}{more}.")
    else:
        lines.append(f"{covered.items:,} of {_number(items, 'item')} get all the ratings that you want.")
    if covered.working < covered.finishing:
        lines.append(f"{_number(covered.working, 'rater')} {_are(covered.working)} enough.")
    lines.append(f"These raters work {covered.hours:.1f} hours.")
    if covered.cost is not None:
        fee = f" With the platform's fee, the total is {covered.cost:,.2f}." if covered.fee else ""
        lines.append(f"The pay of these raters is {covered.pay:,.2f}.{fee}")
    return lines


def _power_line(row: "PowerRow", items: int, difference: float) -> str:
    criterion = f"{row.criterion}: " if row.criterion else ""
    if row.power is None:
        return f"{criterion}{row.note}"
    needed = ", ".join(
        f"{f'{number:,}' if number is not None else 'more than 5,000'} items for a probability of {wanted:.0%}"
        for wanted, number in row.needed
    )
    return (
        f"{criterion}{items:,} items show a difference of {difference:g} points with a probability of "
        f"{row.power:.0%} ({needed})."
    )


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
