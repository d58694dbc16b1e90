"""Addresses of links: to set a password, and to rate a study."""

from datetime import timedelta

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


def study_address(base: str, token: str) -> str:
    """Return the address of a study link."""
    return f"{base}/r/{token}"
