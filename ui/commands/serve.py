"""Start the app: `serve`, or no command."""

import gc
import os
from typing import TYPE_CHECKING, Annotated

import typer

from core.installation import COMMAND
from core.signature import VERSION
from ui.commands.options import DataDir, Plugin, settings_of
from ui.settings import Settings, check_reach

if TYPE_CHECKING:
    from ui.web.server import Server

Host = Annotated[str | None, typer.Option("--host", help="Address to listen on. [env: CAPSCOPE_HOST]")]
Port = Annotated[int | None, typer.Option("--port", min=1, max=65_535, help="Port. [env: CAPSCOPE_PORT]")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"capscope {VERSION}")
        raise typer.Exit


ShowVersion = Annotated[
    bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
]


def register(cli: typer.Typer) -> None:
    """Add the command `serve`."""
    cli.command()(serve)


def default(  # the app without a command, and the options before a command
    context: typer.Context,
    host: Host = None,
    port: Port = None,
    plugin: Plugin = None,
    data_dir: DataDir = None,
    version: ShowVersion = False,
) -> None:
    if context.invoked_subcommand is None:
        run(settings_of(context).with_options(data_dir, host, port, plugin))
    context.obj = settings_of(context).with_options(data_dir, host, port, plugin)  # of the command that follows


def serve(
    context: typer.Context, host: Host = None, port: Port = None, plugin: Plugin = None, data_dir: DataDir = None
) -> None:
    """Start the app, with the demo if there is no study."""
    run(settings_of(context).with_options(data_dir, host, port, plugin))


def run(chosen: Settings) -> None:
    """Serve the app until it is interrupted."""
    from ui.services.accounts.invitations import base_address

    check_reach(chosen)
    server = _prepared(chosen)
    print(f"Capscope is at {base_address(chosen)} (stop with Ctrl+C)", flush=True)
    print(f"Data folder: {chosen.data_dir.resolve()}", flush=True)
    if not server.can_be_entered:
        print(f"Nobody can sign in yet. In another terminal: {COMMAND} user add NAME --role admin", flush=True)
    if chosen.demands_sign_in and (chosen.public_url is None or not chosen.public_url.is_https):
        print(
            "The server uses no https, so others on the network can read passwords. See “Serve a team” in the "
            "documentation.",
            flush=True,
        )
    server.serve_until_interrupted()


def _prepared(settings: Settings) -> "Server":
    """Import and build the app without garbage collection.

    Nearly all objects that are made here live until the server ends. Repeated garbage collection would take a fifth of
    the starting time. Later, each collection would take 0.2 s while raters' answers are being saved. So these objects
    are frozen, which excludes them from collection.
    """
    gc.disable()
    # Gradio imports the package of the Hugging Face hub, which then reads these variables. Without them, the package
    # would contact the hub whenever a metric judges a caption. The server downloads nothing from the hub.
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")
    os.umask(0o077)  # only the owner may read answers, pictures and keys
    try:
        from ui.web.server import prepare  # imported late: Gradio loads for seconds, and only this command needs it

        server = prepare(settings)
        gc.freeze()
        return server
    finally:
        gc.enable()
