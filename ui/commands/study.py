"""`study create` and `study list`."""

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from core.errors import BadSetting
from core.installation import COMMAND
from core.studies.asking.form import Layout
from core.studies.asking.form_file import read_form_file
from core.studies.asking.shipped_forms import LAYOUT_NAMES, form_named, shipped_forms
from core.studies.pay.terms import TermsText
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.plan import STRATA, Strata, StudyRequest
from core.studies.study_design import ENGLISH, fresh_seed
from storage.engine.database import utc_now
from storage.rating.assignment.raters import clean_code
from storage.types import Study
from ui.commands.bundle import register_bundle
from ui.commands.options import AsJson, By, DataDir, print_json, print_table, settings_of, workplace
from ui.commands.study_life import course_text, register_life
from ui.commands.study_panel import register_panels
from ui.commands.study_participants import participants
from ui.commands.study_pay import pay
from ui.commands.study_plan import plan
from ui.commands.study_problems import message, problems, withdraw
from ui.commands.study_share import share
from ui.commands.study_terms import Contact, Currency, HourlyRate, Reward, terms
from ui.services.accounts.invitations import COMMAND_LINE, base_address, check_codes, study_address
from ui.services.studies import actions as services
from ui.services.studies.rater_quality import Monitor, watched_table
from ui.services.studies.rights import check_makes_studies, study_named
from ui.services.studies.workload import study_workload
from ui.services.texts.catalogues import Catalogues
from ui.services.workplace import ensure_key


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Create and list studies.")
    cli.add_typer(group, name="study")
    group.command()(create)
    group.command()(forms)
    group.command()(languages)
    group.command()(link)
    group.command()(monitor)
    group.command()(participants)
    group.command()(pay)
    group.command()(terms)
    group.command()(problems)
    group.command()(withdraw)
    group.command()(message)
    group.command()(plan)
    register_bundle(group)
    register_life(group)
    group.command()(share)
    register_panels(group)
    group.command("list")(list_)


def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    dataset: Annotated[str, typer.Option(help="Data set from which the items are chosen.")],
    form: Annotated[str, typer.Option(help="A form's name; `study forms` lists them.")] = "expert-single",
    form_file: Annotated[
        Path | None, typer.Option(help="File with your own form; `study forms KEY` prints an example.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(help="A,B,...: metrics whose explanations are rated; default: all.")
    ] = None,
    criteria: Annotated[
        str | None, typer.Option(help="A,B,...: criteria of the form that raters answer; default: all.")
    ] = None,
    size: Annotated[int | None, typer.Option(help="Number of items; default: all, or 100 with --strata.")] = None,
    strata: Annotated[
        str,
        typer.Option(
            help=(
                "How items are chosen. score or human: the same number from low, middle and high scores. "
                "disagreement: more often where metrics disagree, with weights. none: at random."
            )
        ),
    ] = "none",
    seed: Annotated[int | None, typer.Option(help="Random seed for choosing the items; default: a new seed.")] = None,
    raters_per_item: Annotated[
        int | None, typer.Option(help="Number of raters per item; default: every rater rates every item.")
    ] = None,
    items_per_rater: Annotated[
        int | None,
        typer.Option(
            help=(
                "Maximum number of items for each rater, if --raters-per-item is given. Practice, gold and repeated "
                "items are added. Default: no limit."
            )
        ),
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Create a draft: raters get no items before `study state NAME running`.")
    ] = False,
    currency: Currency = None,
    hourly_rate: HourlyRate = None,
    reward: Reward = None,
    contact: Contact = None,
    no_veil: Annotated[
        bool,
        typer.Option(
            "--no-veil",
            help=(
                "Show the picture from the start. By default it is hidden until the questions about the text are "
                "answered."
            ),
        ),
    ] = False,
    overlay: Annotated[
        bool,
        typer.Option("--overlay", help="Show raters the regions that HICE-S used; the papers did not show regions."),
    ] = False,
    uniform: Annotated[
        bool,
        typer.Option("--uniform", help="Show all explanations in the same layout, and scores with two decimals."),
    ] = False,
    language: Annotated[
        str, typer.Option(help="Language of raters' pages, such as de; `study languages` lists them.")
    ] = ENGLISH,
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Make a new study and draw its items."""
    request = StudyRequest(
        name=name,
        dataset=dataset,
        seed=fresh_seed() if seed is None else seed,
        form=form,
        form_text=None if form_file is None else read_form_file(form_file).text,
        metrics=_names(metrics),
        size=size,
        strata=_strata(strata),
        raters_per_item=raters_per_item,
        veil=False if no_veil else None,
        overlay=True if overlay else None,
        uniform=uniform,
        language=language,
        criteria=_names(criteria),
    )
    with workplace(context, data_dir, by=by) as opened:
        check_makes_studies(opened)
        planned = services.plan(opened, request)
        typed = TermsText(
            currency=currency or "", hourly_rate=hourly_rate or "", reward=reward or "", contact=contact or ""
        )
        course = StudySchedule("draft" if draft else "running", items_per_rater=items_per_rater, terms=typed.terms())
        study = opened.repository.studies.add(planned, course, opened.account_id)
        opened.repository.audit.add(COMMAND_LINE, "study made", f"study {study.name}")
        told = study_workload(opened, study).words
    if as_json:
        print_json(created_json(study) | ({"with_regions": planned.with_regions} if overlay else {}))
    else:
        typer.echo(f"Created the study {study.name}: {_described(study)}, seed {study.seed}.")
        typer.echo(f"Each rater gets {told}.")
        if study.without_picture:
            typer.echo(_missing(study))
        if overlay:
            typer.echo(f"{planned.with_regions} of {study.items} items have regions.")
            if planned.with_regions < study.items:
                typer.echo(
                    f"To find regions for the other items, run `{COMMAND} score HICE-S --dataset {study.dataset}`."
                )
        link = f"study link {quote(study.name)}"
        ways = f"Start the app and send raters to /rate?study={study.id}, or create study links: {link}"
        typer.echo(f"To create study links for raters: {link}" if settings_of(context).demands_sign_in else ways)


def forms(
    key: Annotated[
        str | None, typer.Argument(help="Print the file of this form, as a start for your own form.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List Capscope's forms, or print one."""
    if key is not None:
        typer.echo(form_named(key).text, nl=False)
    elif as_json:
        print_json([{"form": form.key, "title": form.title, "source": form.source} for form in shipped_forms()])
    else:
        for form in shipped_forms():
            typer.echo(f"{form.key}: {form.title}")


def languages(context: typer.Context, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the languages of raters' pages, with who has checked each translation."""
    with workplace(context, data_dir) as opened:
        found = Catalogues(opened.data_dir).languages()
    if as_json:
        print_json([asdict(language) for language in found])
    else:
        for language in found:
            typer.echo(f"{language.code}: {language.name}{f' ({language.review})' if language.review else ''}")


def link(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    codes: Annotated[
        str | None, typer.Option(help="A,B,...: codes of raters who each get a link; default: one link for everyone.")
    ] = None,
    uses: Annotated[
        int | None,
        typer.Option(
            help=(
                "How many browsers may use each link; default: 100 for a link for everyone, unlimited for a rater's "
                "link."
            )
        ),
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="Days until the link expires; default: never.")
    ] = None,
    same_people: Annotated[
        bool,
        typer.Option("--same-people", help="Confirm that a code which another study uses belongs to the same person."),
    ] = False,
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Make links by which raters enter a study without an account. They are shown only now."""
    expires = None if days is None else utc_now() + timedelta(days=days)
    with workplace(context, data_dir, by=by) as opened:
        study, links = study_named(opened, name, "run"), opened.repository.links
        wanted: list[str | None] = [*map(clean_code, _names(codes))] or [None]  # a link per rater, or one open link
        check_codes(opened, study, [code for code in wanted if code], same_people)
        ensure_key(opened)
        made = [links.make(study.id, code, uses, expires) for code in wanted]
        told = ", ".join(link.rater or "open" for link, _ in made)
        opened.repository.audit.add(COMMAND_LINE, "study link made", f"study {study.name}: {told}")
    base = base_address(settings_of(context))
    if as_json:
        print_json([{"rater": link.rater, "address": study_address(base, token)} for link, token in made])
        return
    for link, token in made:
        typer.echo(f"{link.rater + ': ' if link.rater else ''}{study_address(base, token)}")


def monitor(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Show the quality of a study's raters: time, monotony, gold, repeats, agreement. Flagged raters come first."""
    with workplace(context, data_dir, by=by) as opened:
        study = study_named(opened, name)
        found = Monitor(opened).look(study.id)
    if as_json:
        print_json({"study": name, **asdict(found)})
        return
    if not found.raters:
        typer.echo(f"Nobody has rated {name} yet. Start the app and send raters to the study's page.")
    for rater in found.raters:
        if rater.flags:
            typer.echo(f"{rater.code} is flagged: {'; '.join(flag.words for flag in rater.flags)}")
    print_table(watched_table(found))


def list_(context: typer.Context, as_json: AsJson = False, by: By = None, data_dir: DataDir = None) -> None:
    """List the studies and their raters' progress."""
    with workplace(context, data_dir, by=by) as opened:
        seen = opened.repository.rights.of_account(opened.account)
        overview = [(study, raters) for study, raters in opened.repository.studies.overview() if study.id in seen]
        told = {study.id: study_workload(opened, study).words for study, _ in overview} if not as_json else {}
    studies, progress = [study for study, _ in overview], {study.id: raters for study, raters in overview}
    if as_json:
        raters = {i: [{"rater": p.code, "done": p.done, "total": p.total} for p in progress[i]] for i in progress}
        print_json([created_json(study) | {"raters": raters[study.id]} for study in studies])
        return
    if not studies:
        typer.echo(f"There is no study yet. To create one: {COMMAND} study create NAME --dataset NAME")
    for study in studies:
        typer.echo(f"{study.name}: {_described(study)}; {course_text(study.course)}")
        typer.echo(f"  Each rater gets {told[study.id]}.")
        if study.without_picture:
            typer.echo(f"  {_missing(study)}")
        for rater in progress[study.id]:
            aside = f" (excluded: {rater.excluded})" if rater.excluded else " (pilot)" if rater.pilot else ""
            typer.echo(f"  {rater.code}: {rater.done} of {rater.total}{aside}")


def created_json(study: Study) -> dict[str, object]:
    """Return a study as `study create --json` prints it."""
    form = form_text(study.form)
    return {
        "study": study.name,
        "id": study.id,
        "form": form,
        "asks": study.asks.key,
        "version": study.version,
        "sha256": study.asks.sha256,
        "items": study.items,
        "without_picture": study.without_picture,
        **study.options(),
        "strata": dict(study.strata),
        "state": study.course.state,
    }


def form_text(form: Layout) -> str:
    """Return the name of a layout: single, side-by-side."""
    return form.replace("_", "-")


def _described(study: Study) -> str:
    strata = ", ".join(f"{name}: {count}" for name, count in study.strata)
    own = study.asks.key if study.asks.key not in LAYOUT_NAMES.values() else form_text(study.form)
    return f"{study.items} items of {study.dataset}, {own} ({strata})"


def _missing(study: Study) -> str:
    return (
        f"The pictures of {study.without_picture} of {study.items} items are missing, so raters will not see them. "
        f"Import the data set {study.dataset} again with --images and the folder that contains them."
    )


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _strata(text: str) -> Strata:
    if text not in STRATA:
        raise BadSetting(f"--strata must be one of {', '.join(STRATA)}, found {text!r}.")
    return text
