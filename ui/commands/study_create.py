"""`study create`: make a study and choose its items."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from core.foreign_values import shaped
from core.studies.asking.form_file import read_form_file
from core.studies.design import StudyDesign
from storage.study_types import Study
from ui.commands.options import AsJson, DataDir, pairs_of, print_json, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.studies import study_actions as services
from ui.services.studies.overview import size_text
from ui.services.studies.workload import study_workload

# Options of a design that `--set NAME=VALUE` can set.
SETTABLE = (
    *("practice", "raters_per_item", "items_per_rater", "gold_every", "veil", "overlay", "uniform", "consent"),
    *("contact", "hold_hours", "deadline"),
)


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
        str, typer.Option(help="score or human: as many captions with low, middle and high scores; none: at random.")
    ] = "none",
    seed: Annotated[int | None, typer.Option(help="Random seed for choosing the items; default: a new seed.")] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Create a draft: raters get no items before `study state NAME running`.")
    ] = False,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help=f"Another option: {', '.join(SETTABLE)}; repeatable."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a new study and draw its items."""
    options = pairs_of("--set", option)
    if unknown := sorted(options.keys() - set(SETTABLE)):
        raise BadSetting(f"A study has no option {unknown[0]!r}. It has: {', '.join(SETTABLE)}.")
    named = {"name": name, "dataset": dataset, "form": form, "size": size, "strata": strata, "seed": seed}
    named |= {"form_text": None if form_file is None else read_form_file(form_file).text}
    given = {one: value for one, value in named.items() if value is not None}
    lists = {"metrics": names_of(metrics), "criteria": names_of(criteria)}
    design = shaped(StudyDesign, given | lists | options, BadSetting)
    with workplace(context, data_dir) as opened:
        planned = services.plan(opened, design)
        study = opened.repository.studies.add(planned, "draft" if draft else "running")
        opened.repository.audit.add(COMMAND_LINE, "study made", f"study {study.name}")
        workload = study_workload(opened, study)
    if as_json:
        print_json(created_json(study) | ({"with_regions": planned.with_regions} if study.design.overlay else {}))
    else:
        typer.echo(f"Made the study {study.name}: {described(study)}, seed {study.design.seed}.")
        typer.echo(f"Each rater gets {workload}.")
        if study.without_picture:
            typer.echo(f"The pictures of {study.without_picture} of {study.items} items are missing.")
        if study.design.overlay:
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
        "without_picture": study.without_picture,
        **{name: getattr(study.design, name) for name in options},
        "strata": dict(study.strata),
        "state": study.state,
    }


def described(study: Study) -> str:
    strata = ", ".join(f"{name}: {count}" for name, count in study.strata)
    return f"{size_text(study)} of {study.dataset}, form {study.asks.key}, captions by group ({strata})"


def names_of(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
