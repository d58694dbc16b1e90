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


def check_codes(workplace: Workplace, study: Study, codes: Collection[str], same_people: bool) -> None:
    """Raise AlreadyExists if codes already belong to raters outside this study.

    A code means the same person in all studies. A second person with the same code could see and change the first
    person's answers. Codes of raters who take part in this study raise no error. same_people: the caller confirms that
    these codes mean the same people. No error is raised then.
    """
    studies_by_code = {} if same_people else workplace.repository.links.elsewhere(study.id, codes)
    if not studies_by_code:
        return
    listing = ", ".join(
        f"{code} ({', '.join(studies) or 'no study yet'})" for code, studies in sorted(studies_by_code.items())
    )
    raise AlreadyExists(
        f"No link was created, because these codes belong to raters of other studies: {listing}. In all studies, a "
        "code belongs to one person, who has one return key. If you mean the same people, confirm this. If not, choose "
        f"other codes, for example {min(studies_by_code)[:20]}-{study.id}."
    )


def study_address(base: str, token: str) -> str:
    """Return the address of a study link."""
    return f"{base}/r/{token}"
