"""`study share`: show and change who may see, run or own a study."""

from typing import Annotated

import typer

from core.errors import BadSetting
from storage.accounts.study_rights import Share, clean_right
from ui.commands.options import AsJson, By, DataDir, print_json, study_opened
from ui.services.accounts.invitations import COMMAND_LINE

NO_RIGHT = "none"


def share(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    account: Annotated[str | None, typer.Argument(metavar="ACCOUNT", help="Account whose right is changed.")] = None,
    right: Annotated[
        str, typer.Option(help="see; run (also see); own (also run, share and delete); none (remove the right).")
    ] = "see",
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Change the right that everyone with an account has.")
    ] = False,
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Share a study with an account or with everyone, and list who has a right to it."""
    if account is not None and everyone:
        raise BadSetting("Use either an account or --everyone, not both.")
    wanted = None if right == NO_RIGHT else clean_right(right)
    with study_opened(context, name, data_dir, by, "own") as (opened, study):
        if account is not None or everyone:
            opened.repository.rights.share(study.id, account, wanted)
            entry = f"study {name}, access of {account or 'everyone'}: {wanted or 'right removed'}"
            opened.repository.audit.add(COMMAND_LINE, "study shared", entry)
        shares = opened.repository.rights.shares(study.id)
    if as_json:
        print_json([{"account": one.account, "right": one.right} for one in shares])
        return
    typer.echo(f"Rights to {name}. Admins own every study.")
    for one in shares:
        typer.echo(f"  {_line(one)}")


def _line(share: Share) -> str:
    return f"{share.account or 'everyone with an account'}: {share.right}"
