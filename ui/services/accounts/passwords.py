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
PER_ACCOUNT, PER_ADDRESS, PER_DEVICE, WITHIN_S = 10, 50, 20, 900.0  # limits of wrong passwords within WITHIN_S seconds


class Passwords:
    """Sets and checks passwords."""

    def __init__(self, repository: Repository, hasher: PasswordHasher | None = None) -> None:
        """Use a repository and a password hasher.

        hasher None: Argon2id with the costs that RFC 9106 recommends for little memory.
        """
        self._repository, self._hasher = repository, hasher or PasswordHasher()
        self._turns = Semaphore(AT_ONCE)
        # Unknown browsers have a queue of their own, so that they cannot block browsers that signed in before.
        self._places = {has_account: Semaphore(AT_ONCE + WAITING) for has_account in (True, False)}
        self._accounts = Throttle(PER_ACCOUNT, WITHIN_S)
        self._addresses = Throttle(PER_ADDRESS, WITHIN_S)
        self._devices = Throttle(PER_DEVICE, WITHIN_S)

    def set(self, token: str, password: str) -> Account:
        """Set a password through a link. Raises LinkOver, and BadSetting for a password that is easy to guess."""
        account = self._repository.accounts.of_link(token)
        check_password(password, account.name)
        with self._turns:
            hash = self._hasher.hash(password)
        return self._repository.accounts.set_password(token, hash)

    def check(self, name: str, password: str, address: str | None, device: str | None) -> Account:
        """Return the account with this name and password.

        Wrong attempts are counted by account and by the client's address. A browser in which the account's owner has
        signed in before has a separate count of attempts. Other people cannot add to this count, so they cannot lock
        the owner out (OWASP, Device Cookies). address: the client's address. device: the value that this browser
        received when the owner signed in.

        Raises NotSignedIn, TooManyAttempts.
        """
        counted = None if address is None else neighbourhood(address)  # clients of unknown address must share no count
        strangers: list[tuple[Throttle, str | None]] = [(self._accounts, name), (self._addresses, counted)]
        keys = [(self._devices, f"{name} {device}")] if device else strangers
        _refuse_closed(keys)
        with self._turn(bool(device)):
            _refuse_closed(keys)  # check again: wrong passwords may have been counted during the wait
            stored = self._repository.accounts.password_of(name)
            if stored is None or not self._fits(stored[1], password):
                if stored is None:
                    # Check a fake hash, so that the time does not reveal which accounts exist
                    self._fits(self._nobodys, password)
                for throttle, key in keys:
                    throttle.fail(key)
                raise NotSignedIn("The name or the password is wrong.")
            account, hash = stored
            if self._hasher.check_needs_rehash(hash):
                self._repository.accounts.rehash(account, self._hasher.hash(password))
        return account

    @contextmanager
    def _turn(self, has_account: bool) -> Iterator[None]:
        """Wait for a turn to check a password within a `with` block.

        Only a few passwords are checked at a time. Raises TooManyAttempts if too many checks already wait.
        """
        if not self._places[has_account].acquire(blocking=False):
            raise TooManyAttempts("Too many people are signing in now. Wait a few seconds, then try again.")
        try:
            with self._turns:
                yield
        finally:
            self._places[has_account].release()

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
