"""Set and check passwords.

Passwords are hashed with Argon2id. Only a few passwords are checked at a time, and the number of wrong guesses is
limited.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from threading import Semaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from core.errors import BadSetting, NotSignedIn, TooManyAttempts
from storage import Repository
from storage.accounts.types import Account
from ui.services.accounts.attempt_counter import Throttle, neighbourhood

SHORTEST, LONGEST = 12, 200  # characters
AT_ONCE = 2  # maximum number of password checks at a time; each takes 64 MiB of memory and a whole core
WAITING = 8  # maximum number of waiting checks; each occupies a server thread, and raters' answers need threads too
WITHIN_S = 900.0  # seconds within which wrong passwords are counted
# Limits of wrong passwords: for an account and an address together, for an address, and for an account. Nobody can lock
# out an account from one address.
PER_GUESSER, PER_ADDRESS, PER_ACCOUNT = 10, 50, 100


class Passwords:
    """Sets and checks passwords."""

    def __init__(self, repository: Repository, hasher: PasswordHasher | None = None) -> None:
        """Use a repository and a password hasher.

        hasher None: Argon2id with the costs that RFC 9106 recommends for little memory.
        """
        self._repository, self._hasher = repository, hasher or PasswordHasher()
        self._turns = Semaphore(AT_ONCE)
        self._places = Semaphore(AT_ONCE + WAITING)
        self._guessers, self._addresses, self._accounts = (
            Throttle(most, WITHIN_S) for most in (PER_GUESSER, PER_ADDRESS, PER_ACCOUNT)
        )

    def set(self, token: str, password: str) -> Account:
        """Set a password through a link. Raises LinkOver, and BadSetting for a password that is easy to guess."""
        account = self._repository.accounts.of_link(token)
        check_password(password, account.name)
        with self._turns:
            hash = self._hasher.hash(password)
        return self._repository.accounts.set_password(token, hash)

    def check(self, name: str, password: str, address: str | None) -> Account:
        """Return the account with this name and password.

        Wrong attempts are counted by account and by the client's address. address: the client's address; None: unknown.
        Raises NotSignedIn, TooManyAttempts.
        """
        counted = None if address is None else neighbourhood(address)  # clients of unknown address must share no count
        guesser = None if counted is None else f"{name} {counted}"
        keys = [(self._guessers, guesser), (self._addresses, counted), (self._accounts, name)]
        _refuse_closed(keys)
        with self._turn():
            _refuse_closed(keys)  # check again: wrong passwords may have been counted during the wait
            stored = self._repository.accounts.password_of(name)
            if stored is None or not self._fits(stored[1], password):
                if stored is None:
                    # Check a fake hash, so that the time does not reveal which accounts exist
                    self._fits(self._nobodys, password)
                for throttle, key in keys:
                    throttle.fail(key)
                raise NotSignedIn("The name or the password is wrong.")
        return stored[0]

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for a turn to check a password within a `with` block.

        Only a few passwords are checked at a time. Raises TooManyAttempts if too many checks already wait.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyAttempts("Too many people are signing in now. Wait a few seconds, then try again.")
        try:
            with self._turns:
                yield
        finally:
            self._places.release()

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
        raise TooManyAttempts("Too many wrong passwords. Wait 15 minutes, or ask an admin for a new link.")


def check_password(password: str, name: str) -> None:
    """Raise BadSetting for a password that is too short, too long, or easy to guess."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadSetting(f"A password needs {SHORTEST} to {LONGEST} characters. Use a few unrelated words.")
    plain = password.casefold()
    if len(set(plain)) < 5 or plain in (name, name * 2) or "capscope" in plain:
        raise BadSetting("This password is easy to guess. Use a few unrelated words.")
