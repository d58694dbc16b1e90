"""Addresses of links: to set a password, and to rate a study."""

from collections.abc import Collection
from datetime import timedelta

from core.errors import AlreadyExists
from storage.study_types import Study
from ui.services.workplace import Workplace
from ui.settings import Settings

PASSWORD_HOURS = 72  # hours that a link to set a password works
COMMAND_LINE = "command line"  # name that the log shows for actions from the command line


def base_address(settings: Settings) -> str:
    """Return the server's public address from the settings.

    If they have no public URL, the address consists of the host and the port.
    """
    if settings.public_url is not None:
        return str(settings.public_url)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"


def password_link(workplace: Workplace, name: str, base: str) -> str:
    """Return the address of a new link to set an account's password. Raises NotFound."""
    token = workplace.repository.accounts.new_link(name, timedelta(hours=PASSWORD_HOURS))
    return f"{base}/password/{token}"


def check_codes(workplace: Workplace, study: Study, codes: Collection[str]) -> None:
    """Raise AlreadyExists if codes belong to raters of other studies, because a code and its key belong to one study.

    The message names no study, because its reader may not know of that study.
    """
    if taken := workplace.repository.links.taken(study.id, codes):
        raise AlreadyExists(
            f"No link was created, because these codes are taken: {', '.join(taken)}. Choose other codes, for example "
            f"{taken[0][:20]}-{study.id}."
        )


def study_address(base: str, token: str) -> str:
    """Return the address of a study link."""
    return f"{base}/r/{token}"
