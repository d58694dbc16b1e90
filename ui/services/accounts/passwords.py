"""Passwords: hashed with Argon2id, checked a few at a time, and guessed by nobody."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from threading import Semaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from core.errors import BadSetting, NotSignedIn, TooManyAttempts
from storage import Repository
from storage.accounts.types import Account
from ui.services.accounts.throttle import Throttle, neighbourhood

SHORTEST, LONGEST = 12, 200  # characters
AT_ONCE = 2  # each takes 64 MiB and all of a core
WAITING = 8  # for their turn; each waits in a thread of the server, of which those who save answers need some
PER_ACCOUNT, PER_ADDRESS, PER_DEVICE, WITHIN_S = 10, 50, 20, 900.0  # wrong passwords


class Passwords:
    """Setting and checking passwords."""

    def __init__(self, repository: Repository, hasher: PasswordHasher | None = None) -> None:
        """hasher: with costs of its own; by default those of RFC 9106 for little memory."""
        self._repository, self._hasher = repository, hasher or PasswordHasher()
        self._turns = Semaphore(AT_ONCE)
        self._places = {known: Semaphore(AT_ONCE + WAITING) for known in (True, False)}  # known browsers apart
        self._accounts = Throttle(PER_ACCOUNT, WITHIN_S)
        self._addresses = Throttle(PER_ADDRESS, WITHIN_S)
        self._devices = Throttle(PER_DEVICE, WITHIN_S)

    def set(self, token: str, password: str) -> Account:
        """Set a password by its link. Raises BadSetting for one that is easy to guess, LinkOver."""
        account = self._repository.accounts.of_link(token)
        check_password(password, account.name)
        with self._turns:
            hash = self._hasher.hash(password)
        return self._repository.accounts.set_password(token, hash)

    def check(self, name: str, password: str, address: str | None, device: str | None) -> Account:
        """Return the account of a name and its password. Raises NotSignedIn, TooManyAttempts.

        Wrong tries are counted by account and by the client's address. A browser in which the account's holder has
        signed in before (device: what it was given then) has a count of its own, which others cannot fill: they
        cannot keep the holder out (OWASP, Device Cookies).
        """
        counted = None if address is None else neighbourhood(address)  # None: people have no addresses of their own
        strangers: list[tuple[Throttle, str | None]] = [(self._accounts, name), (self._addresses, counted)]
        keys = [(self._devices, f"{name} {device}")] if device else strangers
        _refuse_closed(keys)
        with self._turn(bool(device)):
            _refuse_closed(keys)  # others may have failed meanwhile
            known = self._repository.accounts.password_of(name)
            if known is None or not self._fits(known[1], password):
                if known is None:
                    self._fits(self._nobodys, password)  # takes as long, so that nobody learns which accounts there are
                for throttle, key in keys:
                    throttle.fail(key)
                raise NotSignedIn("Name and password do not fit each other.")
            account, hash = known
            if self._hasher.check_needs_rehash(hash):
                self._repository.accounts.rehash(account, self._hasher.hash(password))
        return account

    @contextmanager
    def _turn(self, known: bool) -> Iterator[None]:
        """Wait until few others are checked. Raises TooManyAttempts where many wait already."""
        if not self._places[known].acquire(blocking=False):
            raise TooManyAttempts("Many are signing in at this moment. Wait a few seconds, then try again.")
        try:
            with self._turns:
                yield
        finally:
            self._places[known].release()

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash("the password of no account")

    def _fits(self, hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(hash, password[: LONGEST + 1].encode(errors="replace"))
        except (VerificationError, InvalidHashError):
            return False


def _refuse_closed(keys: Sequence[tuple[Throttle, str | None]]) -> None:
    if any(throttle.is_closed(key) for throttle, key in keys):
        raise TooManyAttempts("Too many wrong passwords. Wait a quarter of an hour, or ask for a new link.")


def check_password(password: str, name: str) -> None:
    """Raise BadSetting for a password that is too short, too long, or easily guessed of this account."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadSetting(f"A password has {SHORTEST} to {LONGEST} characters: a few words that belong to nothing.")
    plain = password.casefold()
    if len(set(plain)) < 5 or plain in (name, name * 2) or "capscope" in plain:
        raise BadSetting("This password is easily guessed: take a few words that belong to nothing.")
