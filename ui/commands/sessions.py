"""`sessions list` and `sessions revoke`: list and end sessions."""

from typing import Annotated

import typer

from storage.accounts.types import Session
from ui.commands.options import AsJson, DataDir, print_json, workplace
from ui.services.accounts.invitations import COMMAND_LINE


def register(cli: typer.Typer) -> None:
    """Add the commands of `sessions`."""
    group = typer.Typer(help="List and end the sessions of accounts and raters.")
    cli.add_typer(group, name="sessions")
    group.command("list")(list_)
    group.command()(revoke)


def list_(context: typer.Context, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List sessions, the latest used first."""
    with workplace(context, data_dir) as opened:
        sessions = opened.repository.sessions.all()
    if as_json:
        print_json([_as_json(session) for session in sessions])
        return
    if not sessions:
        typer.echo("Nobody is signed in.")
    for session in sessions:
        study = f" in {session.study}" if session.study else ""
        typer.echo(f"{session.id}: {_whose(session)}{study}, {session.browser}, seen {session.seen_at:%Y-%m-%d %H:%M}")


def revoke(
    context: typer.Context, session: Annotated[int, typer.Argument(metavar="NUMBER")], data_dir: DataDir = None
) -> None:
    """End a session. The browser is signed out at its next request."""
    with workplace(context, data_dir) as opened:
        ended = opened.repository.sessions.revoke(session)
        opened.repository.audit.add(COMMAND_LINE, "session ended", f"session of {_whose(ended)}, {ended.browser}")
    typer.echo(f"Ended the session of {_whose(ended)}.")


def _whose(session: Session) -> str:
    return session.account or f"rater {session.rater}"


def _as_json(session: Session) -> dict[str, object]:
    times = {name: f"{getattr(session, name).isoformat()}Z" for name in ("made_at", "seen_at", "expires_at")}
    kept = ("id", "account", "rater", "study", "browser")
    return {name: getattr(session, name) for name in kept} | times
