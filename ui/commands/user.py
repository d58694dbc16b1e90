"""`user add`, `list`, `link`, `role`, `disable`, `enable`: manage accounts. No command contains a password."""

from typing import Annotated

import typer

from core.installation import COMMAND
from storage.accounts.accounts import folded
from ui.commands.options import AsJson, DataDir, print_json, settings_of, workplace
from ui.services.accounts.invitations import COMMAND_LINE, PASSWORD_HOURS, base_address, password_link
from ui.services.workplace import Workplace

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the account, preferably an e-mail address.")]
ROLE_HELP = "viewer (sees results), researcher (also creates studies and links) or admin (also manages accounts)."


def register(cli: typer.Typer) -> None:
    """Add the commands of `user`."""
    group = typer.Typer(help="Manage accounts.")
    cli.add_typer(group, name="user")
    group.command()(add)
    group.command("list")(list_)
    group.command()(link)
    group.command()(role)
    group.command()(disable)
    group.command()(enable)


def add(
    context: typer.Context,
    name: Name,
    role: Annotated[str, typer.Option(help=ROLE_HELP)] = "viewer",
    data_dir: DataDir = None,
) -> None:
    """Make an account, and print a link to set its password."""
    with workplace(context, data_dir) as opened:
        account = opened.repository.accounts.add(name, role)
        opened.repository.audit.add(COMMAND_LINE, "account made", f"account {account.name}, {account.role}")
        typer.echo(f"Created the account {account.name} ({account.role}).")
        _print_link(context, opened, account.name)


def list_(context: typer.Context, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the accounts."""
    with workplace(context, data_dir) as opened:
        accounts = opened.repository.accounts.all()
    if as_json:
        kept = ("name", "role", "has_password", "disabled")
        print_json([{name: getattr(account, name) for name in kept} for account in accounts])
        return
    if not accounts:
        typer.echo(f"There is no account yet. To create one: {COMMAND} user add NAME --role admin")
    for account in accounts:
        state = "closed" if account.disabled else "" if account.has_password else "no password yet"
        typer.echo(f"{account.name}: {account.role}{state and f', {state}'}")


def link(context: typer.Context, name: Name, data_dir: DataDir = None) -> None:
    """Print a new link to set a password. Older links stop working."""
    with workplace(context, data_dir) as opened:
        _print_link(context, opened, name)
        opened.repository.audit.add(COMMAND_LINE, "password link made", f"account {folded(name.strip())}")


def role(
    context: typer.Context,
    name: Name,
    role: Annotated[str, typer.Argument(metavar="ROLE", help=ROLE_HELP)],
    data_dir: DataDir = None,
) -> None:
    """Change an account's role."""
    with workplace(context, data_dir) as opened:
        account = opened.repository.accounts.change(name, role=role)
        opened.repository.audit.add(COMMAND_LINE, "role changed", f"account {account.name}, {account.role}")
    typer.echo(f"{account.name} now has the role {account.role}.")


def disable(context: typer.Context, name: Name, data_dir: DataDir = None) -> None:
    """Disable an account and end its sessions."""
    with workplace(context, data_dir) as opened:
        account = opened.repository.accounts.change(name, disabled=True)
        opened.repository.audit.add(COMMAND_LINE, "account closed", f"account {account.name}")
    typer.echo(f"{account.name} can no longer sign in, and all sessions of this account have ended.")


def enable(context: typer.Context, name: Name, data_dir: DataDir = None) -> None:
    """Enable an account again."""
    with workplace(context, data_dir) as opened:
        account = opened.repository.accounts.change(name, disabled=False)
        opened.repository.audit.add(COMMAND_LINE, "account opened", f"account {account.name}")
    typer.echo(f"{account.name} may sign in again.")


def _print_link(context: typer.Context, opened: Workplace, name: str) -> None:
    address = password_link(opened, name, base_address(settings_of(context)))
    typer.echo(
        f"Send this link to {name}. The link sets a password, works once, and expires after {PASSWORD_HOURS} "
        f"hours.\n{address}"
    )
