"""The command line. Each file has a group of commands; build_cli combines them."""

import typer

from core.installation import DOCUMENTATION, IS_INSTALLED
from ui.commands import (
    analyse,
    backup,
    data,
    demo,
    get,
    models,
    rater,
    results,
    score,
    serve,
    study,
    train,
    user,
)
from ui.settings import Settings

GROUPS = (
    serve,
    data,
    get,
    study,
    rater,
    results,
    demo,
    backup,
    analyse,
    models,
    score,
    train,
    user,
)


def build_cli(settings: Settings) -> typer.Typer:
    """Return the app's command line, whose commands use the given settings."""
    cli = typer.Typer(
        name="capscope",
        help="Score captions of images with published metrics, and measure how well the metrics agree with people.",
        epilog=f"Documentation: {DOCUMENTATION / 'README.md'}" if (DOCUMENTATION / "README.md").exists() else None,
        no_args_is_help=False,
        add_completion=IS_INSTALLED,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"obj": settings},  # read by ui.commands.options.settings_of
    )
    for group in GROUPS:
        group.register(cli)
    return cli
