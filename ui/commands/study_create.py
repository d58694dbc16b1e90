"""`study create`: make a study and choose its items."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from core.studies.asking.form_file import read_form_file
from core.studies.asking.questionnaire import CONSENT
from core.studies.design import STRATA, Strata, StudyDesign, fresh_seed
from storage.study_types import Study
from ui.commands.options import AsJson, DataDir, print_json, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.studies import study_actions as services
from ui.services.studies.overview import size_text
from ui.services.studies.workload import study_workload


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
    size: Annotated[
        int | None,
        typer.Option(help="Number of captions, each with all metrics; default: all, or 100 with --strata."),
    ] = None,
    strata: Annotated[
        str,
        typer.Option(
            help=(
                "How captions are chosen. score or human: the same number from low, middle and high scores. "
                "none: at random."
            )
        ),
    ] = "none",
    seed: Annotated[int | None, typer.Option(help="Random seed for choosing the items; default: a new seed.")] = None,
    practice: Annotated[
        int, typer.Option(help="Number of practice items: every rater gets these first, and results exclude them.")
    ] = 0,
    raters_per_item: Annotated[
        int | None, typer.Option(help="Number of raters per item; default: every rater rates every item.")
    ] = None,
    items_per_rater: Annotated[
        int | None,
        typer.Option(
            help=(
                "Maximum number of items for each rater, if --raters-per-item is given. Practice and gold items "
                "are added. Default: no limit."
            )
        ),
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Create a draft: raters get no items before `study state NAME running`.")
    ] = False,
    contact: Annotated[str, typer.Option(help="Contact for raters: one line, such as an e-mail address.")] = "",
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
        typer.Option(
            "--overlay", help="Show raters the regions that HICE-S used. The published studies did not show regions."
        ),
    ] = False,
    uniform: Annotated[
        bool,
        typer.Option("--uniform", help="Show all explanations in the same layout, and scores with two decimals."),
    ] = False,
    ready_consent: Annotated[
        bool,
        typer.Option(
            "--ready-consent",
            help="Ask for consent with Capscope's text, which the study's page can change.",
        ),
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a new study and draw its items."""
    design = StudyDesign(
        name,
        dataset,
        form=form,
        form_text=None if form_file is None else read_form_file(form_file).text,
        metrics=names_of(metrics),
        criteria=names_of(criteria),
        size=size,
        strata=_strata(strata),
        practice=practice,
        raters_per_item=raters_per_item,
        items_per_rater=items_per_rater,
        veil=False if no_veil else None,
        overlay=True if overlay else None,
        uniform=uniform,
        consent=CONSENT if ready_consent else None,
        contact=contact.strip(),
        seed=fresh_seed() if seed is None else seed,
    )
    with workplace(context, data_dir) as opened:
        planned = services.plan(opened, design)
        study = opened.repository.studies.add(planned, "draft" if draft else "running")
        opened.repository.audit.add(COMMAND_LINE, "study made", f"study {study.name}")
        workload = study_workload(opened, study)
    if as_json:
        print_json(created_json(study) | ({"with_regions": planned.with_regions} if overlay else {}))
    else:
        typer.echo(f"Made the study {study.name}: {described(study)}, seed {study.design.seed}.")
        typer.echo(f"Each rater gets {workload}.")
        if study.without_picture:
            typer.echo(f"The pictures of {study.without_picture} of {study.items} items are missing.")
        if overlay:
            typer.echo(f"{planned.with_regions} of {study.items} items have regions.")
        typer.echo(f"Raters open /rate?study={study.id}. On a public server, `study link` makes links for them.")


def created_json(study: Study) -> dict[str, object]:
    """Return a study as `study create --json` prints it."""
    options = ("seed", "practice", "raters_per_item", "items_per_rater", "veil", "overlay", "uniform")
    return {
        "study": study.name,
        "id": study.id,
        "form": study.asks.key,
        "sha256": study.asks.sha256,
        "captions": study.captions,
        "items": study.items,
        "pairs": study.pairs,
        "without_picture": study.without_picture,
        **{name: getattr(study.design, name) for name in options},
        "strata": dict(study.strata),
        "state": study.state,
    }


def described(study: Study) -> str:
    strata = ", ".join(f"{name}: {count}" for name, count in study.strata)
    pairs = f", {study.pairs} captions with every metric" if len(study.metrics) > 1 else ""
    return f"{size_text(study)} of {study.dataset}{pairs}, form {study.asks.key}, captions by group ({strata})"


def names_of(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _strata(text: str) -> Strata:
    if text not in STRATA:
        raise BadSetting(f"--strata must be one of {', '.join(STRATA)}, found {text!r}.")
    return text
