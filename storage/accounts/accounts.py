"""Store accounts. An account has a name, a role and a hash of its password.

Only the account's holder sets the password.
"""

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from core.errors import AlreadyExists, BadSetting, LinkOver, NotFound
from storage.accounts.sessions import hashed, new_token
from storage.accounts.types import ROLES, Account, Role
from storage.engine.database import Operations, new_id, utc_now
from storage.tables import AccountRow, PasswordLinkRow, SessionRow

LONGEST_NAME = 100
_ACCOUNTS = select(*AccountRow.__table__.columns).order_by(AccountRow.name)


class Accounts(Operations):
    """Operations on accounts."""

    def add(self, name: str, role: str) -> Account:
        """Make an account without a password. Raises BadSetting, AlreadyExists."""
        name, role = clean_name(name), clean_role(role)
        with self._database.write() as connection:
            if _find(connection, AccountRow.name == name) is not None:
                raise AlreadyExists(f"An account named {name} already exists.")
            values = {"name": name, "role": role, "created_at": utc_now()}
            return _get(connection, new_id(connection.execute(insert(AccountRow).values(values))))

    def all(self) -> tuple[Account, ...]:
        """Return every account, sorted by name."""
        with self._database.read() as connection:
            return tuple(map(_account, connection.execute(_ACCOUNTS)))

    def named(self, name: str) -> Account:
        """Return the account that has this name. Raises NotFound."""
        return self._one(f"There is no account {name!r}.", AccountRow.name == folded(name.strip()))

    def get(self, account: int) -> Account:
        """Return an account by number. Raises NotFound."""
        return self._one(f"There is no account with the number {account}.", AccountRow.id == account)

    def _one(self, problem: str, of: ColumnElement[bool]) -> Account:
        with self._database.read() as connection:
            row = _find(connection, of)
        if row is None:
            raise NotFound(problem)
        return _account(row)

    def password_of(self, name: str) -> tuple[Account, str] | None:
        """Return an account and its password's hash, by the sign-in name.

        None: no account has this name, or the account may not sign in with a password.
        """
        with self._database.read() as connection:
            row = _find(connection, AccountRow.name == folded(name.strip()))
        return None if row is None or row.disabled or row.password is None else (_account(row), row.password)

    def signed_in_elsewhere(self, name: str) -> Account | None:
        """Return the account that a proxy has signed in, or None if there is no open account with this name."""
        with self._database.read() as connection:
            row = _find(connection, AccountRow.name == folded(name.strip()), AccountRow.disabled.is_(False))
        return None if row is None else _account(row)

    def change(self, name: str, role: str | None = None, disabled: bool | None = None) -> Account:
        """Change an account's role, or disable or enable the account.

        If the account is disabled, its sessions end immediately. Raises NotFound. Raises BadSetting for an unknown
        role, or if no admin would remain.
        """
        values: dict[str, Any] = {} if role is None else {"role": clean_role(role)}
        values |= {} if disabled is None else {"disabled": disabled}
        with self._database.write() as connection:
            row = _find(connection, AccountRow.name == folded(name.strip()))
            if row is None:
                raise NotFound(f"There is no account {name!r}.")
            connection.execute(update(AccountRow).where(AccountRow.id == row.id).values(values))
            if disabled:
                connection.execute(delete(SessionRow).where(SessionRow.account_id == row.id))
                _spend_links(connection, row.id)
            admins = (AccountRow.role == "admin", AccountRow.disabled.is_(False))
            was_admin = row.role == "admin" and not row.disabled
            if was_admin and connection.scalar(select(func.count()).where(*admins)) == 0:
                raise BadSetting(f"{row.name} is the only admin. Make another account an admin first.")
            return _get(connection, row.id)

    def new_link(self, name: str, lasts: timedelta) -> str:
        """Make a link for setting an account's password. Return the link's secret.

        Older links of the account stop working. Raises NotFound. Raises BadSetting if the account is disabled.
        """
        account = self.named(name)
        if account.disabled:
            raise BadSetting(f"The account {account.name} is closed.")
        token = new_token()
        with self._database.write() as connection:
            _spend_links(connection, account.id)
            values = {"account_id": account.id, "token_hash": hashed(token), "expires_at": utc_now() + lasts}
            connection.execute(insert(PasswordLinkRow).values(values))
        return token

    def of_link(self, token: str) -> Account:
        """Return the account whose password a link can set.

        Raises LinkOver, which states why the link does not work.
        """
        with self._database.read() as connection:
            return _of_link(connection, token)

    def set_password(self, token: str, password: str) -> Account:
        """Set a password by a link. Only its hash is stored.

        The link then stops working, and the account's sessions end. Raises LinkOver.
        """
        with self._database.write() as connection:
            account = _of_link(connection, token)
            connection.execute(update(AccountRow).where(AccountRow.id == account.id).values(password=password))
            _spend_links(connection, account.id)
            connection.execute(delete(SessionRow).where(SessionRow.account_id == account.id))
            return account


def folded(name: str) -> str:
    """Return a name with its ASCII letters in lower case.

    Other letters stay as they are, so names that differ in such letters remain different. Unicode's lower case would
    turn some other letters into ASCII letters. For example, the Kelvin sign (U+212A) would become "k". Then an e-mail
    address with this sign would be equal to another person's address with "k".
    """
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)


def clean_name(name: str) -> str:
    """Return an account's name in its stored form. Raises BadSetting."""
    cleaned = folded(name.strip())
    if not 1 <= len(cleaned) <= LONGEST_NAME or not cleaned.isprintable() or " " in cleaned:
        raise BadSetting(
            f"An account's name must have 1 to {LONGEST_NAME} characters and no spaces. An e-mail address is best."
        )
    return cleaned


def clean_role(role: str) -> Role:
    """Return a valid role. Raises BadSetting."""
    for one in ROLES:
        if role == one:
            return one
    raise BadSetting(f"The role must be one of {', '.join(ROLES)}, found {role!r}.")


def _spend_links(connection: Connection, account: int) -> None:
    unused = (PasswordLinkRow.account_id == account, PasswordLinkRow.used_at.is_(None))
    connection.execute(update(PasswordLinkRow).where(*unused).values(used_at=utc_now()))


def _of_link(connection: Connection, token: str) -> Account:
    row = connection.execute(
        select(*PasswordLinkRow.__table__.columns).where(PasswordLinkRow.token_hash == hashed(token))
    ).first()
    if row is None:
        raise LinkOver("This link does not exist. Check that you copied the whole link.")
    if row.used_at is not None:
        raise LinkOver("This link was already used, or replaced by a newer one. Ask for a new link.")
    if row.expires_at <= utc_now():
        raise LinkOver("This link has expired. Ask for a new link.")
    return _get(connection, row.account_id)


def _find(connection: Connection, *of: ColumnElement[bool]) -> Any:
    return connection.execute(_ACCOUNTS.where(*of)).first()


def _get(connection: Connection, account: int) -> Account:
    return _account(_find(connection, AccountRow.id == account))


def _account(row: Any) -> Account:
    return Account(row.id, row.name, row.role, row.password is not None, row.disabled, row.created_at)
