"""`study pay`: print what raters are owed, and write lists of raters for a recruitment platform."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter

from core.errors import BadSetting
from core.studies.pay.money import money_text
from core.studies.pay.terms import TermsText
from ui.commands.options import AsJson, By, DataDir, print_json, study_opened
from ui.commands.print_tables import print_table
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.studies.pay import PAY_LISTS, StudyPay, coded_list, pay_list, pay_table, study_pay


def pay(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    rate: Annotated[str | None, typer.Option(help="Hourly pay, such as 9.50; default: the study's pay.")] = None,
    currency: Annotated[str | None, typer.Option(help="Code of the currency, such as GBP.")] = None,
    reward: Annotated[
        str | None, typer.Option(help="Reward that the platform pays each approved rater; default: none.")
    ] = None,
    which: Annotated[
        str | None, typer.Option("--list", help=f"Write a list for the recruitment platform: {', '.join(PAY_LISTS)}.")
    ] = None,
    codes: Annotated[bool, typer.Option("--codes", help="Write raters' codes instead of the platform's ids.")] = False,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="File for the list.")] = None,
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Show how long raters worked, what they are owed, and decisions.

    The working time is in seconds. Each rater has a decision for the recruitment platform: approve, reject, or ask the
    rater to return the submission.
    """
    given = TermsText(currency=currency or "", hourly_rate=rate or "", reward=reward or "")
    asked = None if given == TermsText() else given.terms()
    chosen = next((one for one in PAY_LISTS if one == which), None)
    if which is not None and chosen is None:
        raise BadSetting(f"--list must be one of {', '.join(PAY_LISTS)}, found {which!r}.")
    if (chosen is None) != (to is None):
        raise BadSetting("--list and --to must be used together, because the list is written to the file.")
    if codes and chosen == "ids":
        raise BadSetting("The list of ids always contains codes and ids. Remove --codes.")
    with study_opened(context, name, data_dir, by, "own") as (opened, study):
        found = study_pay(opened, study, asked)
        if chosen is not None and to is not None:
            written = coded_list(found, chosen) if codes else pay_list(opened, study, found, chosen)
            to.write_text(written, encoding="utf-8")
            to.chmod(0o600)
            if not codes:
                opened.repository.audit.add(COMMAND_LINE, "participant ids read", f"study {name}: list {chosen}")
            typer.echo(f"Wrote {written.count(chr(10)) - (chosen == 'ids'):,} raters to {to}.")
            return
    if as_json:
        print_json({"study": name, **TypeAdapter(StudyPay).dump_python(found, mode="json")})
        return
    print_table(pay_table(found))
    typer.echo(
        f"Rewards: {money_text(found.rewards, found.currency)}. Bonuses: "
        f"{money_text(found.bonuses, found.currency)}. Raters who would get less than the hourly pay without a bonus: "
        f"{found.below_rate:,}."
    )
