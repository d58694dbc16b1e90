"""The command line. Each file has a group of commands, which is imported when one of them is called."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from core.installation import DOCUMENTATION, IS_INSTALLED
from ui.commands import serve
from ui.settings import Settings

# Each command, the module that has it, and the line by which `--help` lists it.
COMMANDS = {
    "serve": ("serve", "Start the app, with the demo if there is no study."),
    "formats": ("data", "List the formats that can be imported."),
    "import": ("data", "Add samples, scores and explanations from files."),
    "annotate": ("data", "Add regions from a COCO instances file to a data set's pictures."),
    "share": ("data", "Write a data set into a folder for other tools and `import`."),
    "get": ("get", "Fetch published data and import them."),
    "score": ("score", "Score one caption, or the samples of a data set."),
    "models": ("models", "List the weights that metrics need, and download them."),
    "analyse": ("analyse", "Print a section of the page Analyse."),
    "correlate": ("analyse", "Print how well metrics agree with people."),
    "study": ("study", "Create, list, link, archive and delete studies."),
    "rater": ("study", "Erase a rater's data."),
    "report": ("results", "Print or write the results of a study."),
    "export": ("results", "Write a study's ratings to a file."),
    "backup": ("backup", "Copy the data folder at one moment, also while people rate."),
    "restore": ("backup", "Replace the data folder's database, key and pictures with a backup."),
    "user": ("user", "Manage accounts."),
    "train": ("train", "Train Polos or EXPERT."),
    "demo": ("demo", "Write a copy of the demo that any web server can serve."),
}


class Commands(TyperGroup):
    """The commands of COMMANDS. Help and mistakes are told without importing what the commands need."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        own = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
        import_module(f"ui.commands.{COMMANDS[cmd_name][0]}").register(own)
        return get_group(own).commands[cmd_name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


def build_cli(settings: Settings) -> TyperGroup:
    """Return the app's command line, whose commands use the given settings."""
    cli = typer.Typer(
        name="capscope",
        cls=Commands,
        help="Score captions of images with published metrics, and measure how well the metrics agree with people.",
        epilog=f"Documentation: {DOCUMENTATION / 'README.md'}" if (DOCUMENTATION / "README.md").exists() else None,
        no_args_is_help=False,
        add_completion=IS_INSTALLED,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"obj": settings},  # read by ui.commands.options.settings_of
    )
    cli.callback(invoke_without_command=True)(serve.default)
    return get_group(cli)
