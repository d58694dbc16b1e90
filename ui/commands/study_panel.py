"""`study panel-link` and `study entry`: make links for recruitment platforms, and set consent texts and questions."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from core.studies.asking.questionnaire import questions_of, questions_text
from core.studies.planning.recruitment import PRESETS, End, Platform
from storage.engine.database import utc_now
from ui.commands.options import By, DataDir, settings_of, study_opened
from ui.services.accounts.invitations import COMMAND_LINE, base_address, study_address
from ui.services.studies.study_warnings import missing_codes_warning
from ui.services.studies.workload import study_workload

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]
_Code = typer.Option(metavar="CODE", help="Completion code.")
_File = typer.Option(metavar="FILE", exists=True, dir_okay=False)


def register_panels(group: typer.Typer) -> None:
    """Add the commands `panel-link` and `entry` to the group `study`."""
    group.command("panel-link")(panel_link)
    group.command()(entry)


def panel_link(
    context: typer.Context,
    name: StudyName,
    panel: Annotated[str, typer.Option(help=f"{', '.join(one.name for one in PRESETS)}, or another platform's name.")],
    done: Annotated[str, _Code] = "",
    screened_out: Annotated[str, _Code] = "",
    full: Annotated[str, _Code] = "",
    failed_check: Annotated[
        str,
        typer.Option(
            metavar="CODE",
            help="Code for raters who fail the comprehension check; default: the code for screened-out raters.",
        ),
    ] = "",
    failed_gold: Annotated[
        str,
        typer.Option(
            metavar="CODE",
            help="Code for raters who fail too many gold items; default: the code for screened-out raters.",
        ),
    ] = "",
    person: Annotated[
        str, typer.Option(help="For another platform: the address parameter that identifies the rater.")
    ] = "",
    back: Annotated[
        str,
        typer.Option(
            help="Address to which raters return at the end; {code} and {person} are filled in.", metavar="URL"
        ),
    ] = "",
    uses: Annotated[int | None, typer.Option(help="How many browsers may use the link; default: unlimited.")] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="Days until the link expires; default: never.")
    ] = None,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Make a study link for a recruitment platform.

    Enter the link unchanged on the platform. It is printed now and never again.
    """
    codes = {"done": done, "screened_out": screened_out, "full": full}
    codes |= {"failed_check": failed_check, "failed_gold": failed_gold}
    asked = _panel(panel, person, back, codes)
    expires = None if days is None else utc_now() + timedelta(days=days)
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        _, token = opened.repository.panel_links.make(study.id, asked, uses, expires)
        told = f"study {study.name}: {asked.name}"
        opened.repository.audit.add(COMMAND_LINE, "study link made", told)
        stop = opened.repository.quality.watch(study.id).stop_after_gold
        warning = missing_codes_warning(opened, study, asked, stop)
    typer.echo(asked.address(study_address(base_address(settings_of(context)), token)))
    if warning:
        typer.echo(f"Warning: {warning}", err=True)


def entry(
    context: typer.Context,
    name: StudyName,
    consent: Annotated[Path | None, _File] = None,
    before: Annotated[Path | None, _File] = None,
    after: Annotated[Path | None, _File] = None,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Set a study's consent text and questions from files.

    A file of questions has one question per line. Without options, print the consent text and the questions.
    """
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        asked = opened.repository.visits.entry(study.id)
        if consent is not None:
            asked = replace(asked, consent=consent.read_text(encoding="utf-8").strip())
        if before is not None:
            asked = replace(asked, before=questions_of(before.read_text(encoding="utf-8")))
        if after is not None:
            asked = replace(asked, after=questions_of(after.read_text(encoding="utf-8")))
        if (consent, before, after) != (None, None, None):
            opened.repository.visits.set_entry(study.id, asked)
            opened.repository.audit.add(COMMAND_LINE, "study's questions changed", f"study {name}")
        warnings = study_workload(opened, study).warnings
    for what, text in (
        ("Consent", asked.consent),
        ("Before", questions_text(asked.before)),
        ("After", questions_text(asked.after)),
    ):
        typer.echo(f"{what}:\n{text or '(none)'}\n")
    for warning in warnings:
        typer.echo(f"Warning: {warning}", err=True)


def _panel(name: str, person: str, back: str, codes: dict[str, str]) -> Platform:
    """Return a known recruitment platform, or a new one from the options.

    Raises BadSetting.
    """
    known = {one.name.casefold(): one for one in PRESETS}.get(name.casefold())
    if known is None and not person:
        raise BadSetting(
            f"Capscope does not know the address parameters of the platform {name} (known platforms: "
            f"{', '.join(one.name for one in PRESETS)}). With --person, name the parameter that identifies the rater."
        )
    panel = known or Platform(name, person)
    panel = replace(panel, person=person or panel.person)
    ends = {kind: End(code, back or panel.done.address) for kind, code in codes.items()}
    return replace(
        panel,
        done=ends["done"],
        screened_out=ends["screened_out"],
        full=ends["full"],
        failed_check=ends["failed_check"],
        failed_gold=ends["failed_gold"],
    )
