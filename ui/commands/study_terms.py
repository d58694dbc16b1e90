"""`study terms`: raters' pay, and the contact for their questions."""

from dataclasses import asdict, replace
from typing import Annotated

import typer

from core.studies.pay.terms import typed_terms
from ui.commands.options import AsJson, By, DataDir, print_json, study_opened
from ui.services.accounts.invitations import COMMAND_LINE

# Options of this command and of `study create`.
Currency = Annotated[str | None, typer.Option(help="Code of the currency of the pay, such as GBP.")]
HourlyRate = Annotated[str | None, typer.Option(help="Hourly pay, such as 9.50; raters see it before they start.")]
Reward = Annotated[str | None, typer.Option(help="Reward that the platform pays each approved rater, such as 2.00.")]
Contact = Annotated[str | None, typer.Option(help="Contact for raters: one line, such as an e-mail address.")]


def terms(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    currency: Currency = None,
    hourly_rate: HourlyRate = None,
    reward: Reward = None,
    contact: Contact = None,
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Set raters' pay and contact. An empty text removes a value. Without options, print the terms."""
    given = {"currency": currency, "hourly_rate": hourly_rate, "reward": reward, "contact": contact}
    changed = {key: text for key, text in given.items() if text is not None}
    with study_opened(context, name, data_dir, by, "own") as (opened, study):
        found = study.course.terms
        if changed:
            found = replace(typed_terms(found), **changed).terms()
            opened.repository.life.settle(study.id, terms=found)
            opened.repository.audit.add(COMMAND_LINE, "study's pay and contact changed", f"study {name}")
    if as_json:
        print_json({"study": name, **asdict(typed_terms(found))})
        return
    typer.echo(f"Hourly pay: {found.hourly_text or 'not stated'}")
    typer.echo(f"Reward: {found.reward_text or 'not stated'}")
    typer.echo(f"Contact for raters: {found.contact or 'nobody'}")
