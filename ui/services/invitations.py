"""The addresses of links that let people in: to set a password, to rate a study."""

from datetime import timedelta

from ui.services.workplace import Workplace
from ui.settings import Settings

PASSWORD_HOURS = 72  # how long a link to set a password works
COMMAND_LINE = "command line"  # who did it, in the log


def base_address(settings: Settings) -> str:
    """Return the address at which people reach the server, as far as the settings tell."""
    if settings.public_url is not None:
        return str(settings.public_url)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"


def password_link(workplace: Workplace, name: str, base: str) -> str:
    """Return the address of a new link with which the holder of an account sets their password. Raises NotFound."""
    token = workplace.repository.accounts.new_link(name, timedelta(hours=PASSWORD_HOURS))
    return f"{base}/password/{token}"


def study_address(base: str, token: str) -> str:
    """Return the address of a study link."""
    return f"{base}/r/{token}"
