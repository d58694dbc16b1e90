"""Identify raters by their browsers' sessions.

Raters enter by a study link. If no sign-in is required, they may choose a code instead.
"""

import hmac
import math
from collections.abc import Iterator

from starlette.requests import Request

from core.errors import AlreadyExists, Busy, LinkOver, NotFound, NotSignedIn, TooManyAttempts
from storage import Repository
from storage.accounts.types import StudyLink
from storage.rating.raters import clean_code
from storage.study_types import Rater
from ui.services.accounts.attempt_counter import Throttle, neighbourhood
from ui.services.key_file import Secret
from ui.settings import NEW_RATERS
from ui.web.access.access_checks import Door
from ui.web.access.cookies import LINK_HEADER, Cookies

SPEAKER_HEADER = "x-capscope-rater"
PER_ADDRESS = 100  # maximum number of wrong return keys per minute from one address, for all raters' codes together
HOUR_S = 3600.0
_MANY = (
    "Too many new raters have used this link from your network within an hour. "
    "You need not do anything: leave this page open."
)


class RaterAccess:
    """Admits raters, and recognises them in later requests."""

    def __init__(self, repository: Repository, secret: Secret, door: Door, new_raters: int = NEW_RATERS) -> None:
        """Admit raters to the studies of a repository.

        new_raters: how many new raters one IP address may add through one link in an hour.
        """
        self._repository, self._secret, self._door = repository, secret, door
        self._codes, self._addresses = Throttle(), Throttle(PER_ADDRESS)
        self._newcomers = Throttle(new_raters, HOUR_S)

    @property
    def cookies(self) -> Cookies:
        """Return the cookies that hold raters' sessions."""
        return self._door.cookies

    def rater(self, request: Request) -> Rater | None:
        """Return the rater whose session the requesting page uses, or None."""
        link = link_of(request)
        token = self.cookies.get(request, "rater", link)
        found = self._repository.sessions.rater(token) if token else None
        return found if found is None or self._is_open(request, found, link) else None

    def known(self, request: Request) -> Rater:
        """Return the rater of a browser's session. Raises NotSignedIn."""
        found, said = self.rater(request), request.headers.get(SPEAKER_HEADER)  # this header can only deny access
        if found is None or said not in (None, found.code):
            raise NotSignedIn("Enter your code first, so that this page knows who you are.")
        return found

    def everybody(self, request: Request) -> Iterator[Rater]:
        """Yield every rater with a session in a browser, on any page.

        All are needed because pictures are requested without the page's link. Raises NotSignedIn if there is no
        session.
        """
        is_somebody = False
        for token in self.cookies.raters(request):
            found = self._repository.sessions.rater(token)
            if found is not None and self._is_open(request, found, None if found.study is None else ""):
                is_somebody = True
                yield found
        if not is_somebody:
            raise NotSignedIn("Enter your code first, so that this page knows who you are.")

    def link(self, request: Request) -> StudyLink | None:
        """Return the study link in a request, or None. Raises LinkOver for an invalid link."""
        token = link_of(request)
        found = None if token is None else self._repository.links.find(token)
        if token is not None and found is None:
            raise LinkOver("There is no such link.")
        return found

    def arrive(self, request: Request, query: str) -> tuple[Rater, str]:
        """Admit a rater from a recruitment platform.

        Return the rater and the session's secret. query: the query of the address, which identifies the rater. Raises
        LinkOver and Busy. Raises NotSignedIn if the query identifies nobody.
        """
        link = self.link(request)
        if link is None or link.panel is None:
            raise NotSignedIn("Open the link that you were sent: it leads to your study.")
        person = link.panel.arrival(query)
        if person is None:
            raise NotSignedIn(f"Open this study from {link.panel.name}: the address does not say who you are.")
        if not self._repository.links.knows(link, person):
            self._count_newcomer(link, address_of(request))
        return self._repository.links.arrive(link, person)

    def panel(self, request: Request) -> str | None:
        """Return the recruitment platform's name for the study link in a request, or None."""
        link = self.link(request)
        return None if link is None or link.panel is None else link.panel.name

    def enter(self, request: Request, code: str, return_key: str | None) -> tuple[Rater, str]:
        """Admit a new rater, or a known rater with a return key. Returns the rater and the session's secret.

        Raises BadSetting, AlreadyExists, TooManyAttempts, Busy, LinkOver. Raises NotSignedIn for a rater who needs a
        link.
        """
        link = self.link(request)
        if link is not None and return_key is None and link.panel is not None:
            raise NotSignedIn("Open this study from the page that sent you here. A code is not enough.")
        if link is not None and return_key is None:
            if link.rater is None:  # attempts are counted, so that nobody can find out which codes exist
                self._count_newcomer(link, address_of(request))
            return self._repository.links.enter(link, code)
        if link is None and not self.lets_in(request):
            raise NotSignedIn("Open the link that you were sent: it leads to your study.")
        if return_key is None:
            rater = self._repository.raters.add(code)
        else:
            rater = self.returning(request, code, return_key)
        if link is not None:
            return self._repository.links.come_back(link, rater)
        return rater, self._repository.sessions.start_rater(rater)

    def _count_newcomer(self, link: StudyLink, address: str | None) -> None:
        """Count a new rater of an open link. Raises Busy after too many from one address in an hour."""
        seconds = self._newcomers.take(None if address is None else f"{link.id} {address}")
        if seconds > 0:
            raise Busy(_MANY, math.ceil(seconds))

    def returning(self, request: Request, code: str, return_key: str) -> Rater:
        """Return the known rater who gives a code and its return key.

        Wrong keys are counted by code and address together, so that nobody can lock out another rater. Raises
        AlreadyExists for a wrong key. Raises TooManyAttempts.
        """
        code, address = clean_code(code), address_of(request)
        counted: tuple[tuple[Throttle, str | None], ...] = (
            (self._codes, f"{code} {address}"),
            (self._addresses, address),
        )
        if any(throttle.is_closed(key) for throttle, key in counted):
            raise TooManyAttempts("Too many wrong return keys. Wait a minute, then try again.")
        try:
            known = self._repository.raters.named(code)
        except NotFound:
            known = Rater(0, code)  # unknown code: no rater has the number 0, so every return key is refused
        given = return_key.strip().upper().encode(errors="replace")
        if known.id == 0 or not hmac.compare_digest(given, self._secret.return_key(known.id).encode()):
            for throttle, key in counted:
                throttle.fail(key)
            raise AlreadyExists(f"This return key is wrong for the code {code}.")
        return known

    def lets_in(self, request: Request) -> bool:
        """Return whether the client may rate without a link.

        Researchers and admins may. If no sign-in is required, everybody counts as an admin.
        """
        visitor = self._door.visitor(request)
        return visitor is not None and visitor.may("researcher")

    def _is_open(self, request: Request, rater: Rater, link: str | None) -> bool:
        """Return whether a rater's session is valid for a request.

        A session from a link is valid only on pages of that link. A session without a link is valid only if the client
        may rate without a link.
        """
        return rater.study is not None if link is not None else rater.study is None and self.lets_in(request)


def link_of(request: Request) -> str | None:
    """Return the secret of the study link in a request's header."""
    return request.headers.get(LINK_HEADER) or None


def address_of(request: Request) -> str | None:
    """Return the client's address, to limit wrong codes and new raters; None: clients cannot be distinguished."""
    return neighbourhood(request.client.host) if request.client else None
