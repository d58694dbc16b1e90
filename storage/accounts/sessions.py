"""Store and end the browser sessions of account holders and raters.

Secrets are shown to a user only once. Only their hashes are stored, so copies of the data contain no secrets.
"""

import hashlib
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, update

from core.errors import StorageUnavailable
from storage.accounts.types import Account
from storage.engine.database import Operations, utc_now
from storage.study_types import Rater
from storage.tables import AccountRow, RaterRow, SessionRow, StudyLinkRow

ACCOUNT_LASTS = timedelta(days=7)  # time from a session's last use to its end
RATER_LASTS = timedelta(days=180)  # time from a session's last use to its end
SEEN_EVERY = timedelta(minutes=10)  # minimum time between two updates of a session's last use
SEEN_PATIENCE_S = 0.05  # maximum seconds to wait for storing a session's last use; short, because a reader waits for it
SECRET_BYTES = 24

_HASH: BindParameter[str] = bindparam("hash")
# These queries are built once, because they run for every answer.
_BY_TOKEN = select(SessionRow.id, SessionRow.seen_at).where(
    SessionRow.token_hash == _HASH, SessionRow.expires_at > bindparam("now")
)
_RATER = (
    _BY_TOKEN.add_columns(RaterRow.id.label("rater"), RaterRow.code, SessionRow.link_id, StudyLinkRow.study_id)
    .join(RaterRow, RaterRow.id == SessionRow.rater_id)
    .join(StudyLinkRow, StudyLinkRow.id == SessionRow.link_id, isouter=True)
)
_ACCOUNT = (
    _BY_TOKEN.add_columns(AccountRow.id.label("account"), AccountRow.name, AccountRow.role, AccountRow.password)
    .add_columns(AccountRow.created_at)
    .join(AccountRow, AccountRow.id == SessionRow.account_id)
    .where(AccountRow.disabled.is_(False))
)


class Sessions(Operations):
    """Operations on sessions."""

    def start_account(self, account: Account) -> str:
        """Start a session of an account. Return its secret."""
        with self._database.write() as connection:
            return start(connection, {"account_id": account.id}, ACCOUNT_LASTS)

    def start_rater(self, rater: Rater) -> str:
        """Start a session of a rater who came without a link. Return its secret."""
        with self._database.write() as connection:
            return start(connection, {"rater_id": rater.id}, RATER_LASTS)

    def account(self, token: str) -> Account | None:
        """Return the session's account, or None if the session is over."""
        row = self._living(_ACCOUNT, token, ACCOUNT_LASTS)
        if row is None:
            return None
        return Account(row.account, row.name, row.role, row.password is not None, False, row.created_at)

    def rater(self, token: str) -> Rater | None:
        """Return the session's rater, or None if the session is over.

        If the rater came through a study link, the rater may rate only the study of this link.
        """
        row = self._living(_RATER, token, RATER_LASTS)
        return None if row is None else Rater(row.rater, row.code, row.study_id)

    def end(self, token: str) -> None:
        """End the session that has this secret."""
        with self._database.write() as connection:
            connection.execute(delete(SessionRow).where(SessionRow.token_hash == hashed(token)))

    def _living(self, query: Any, token: str, lasts: timedelta) -> Any:
        now = utc_now()
        with self._database.read() as connection:
            row = connection.execute(query, {"hash": hashed(token), "now": now}).first()
        if row is not None and now - row.seen_at > SEEN_EVERY:
            self._see(row.id, now, lasts)
        return row

    def _see(self, session: int, now: datetime, lasts: timedelta) -> None:
        """Store that a session is in use now.

        If the database cannot be written now, a later request stores the session's last use.
        """
        values = {"seen_at": now, "expires_at": now + lasts}
        with suppress(StorageUnavailable), self._database.write(SEEN_PATIENCE_S) as connection:
            connection.execute(update(SessionRow).where(SessionRow.id == session).values(values))


def start(connection: Connection, whose: dict[str, int], lasts: timedelta) -> str:
    """Store a session. Return its secret. Delete the sessions that are over."""
    token, now = new_token(), utc_now()
    connection.execute(delete(SessionRow).where(SessionRow.expires_at < now))
    values = {"token_hash": hashed(token), "made_at": now, "seen_at": now}
    connection.execute(insert(SessionRow).values({**values, **whose, "expires_at": now + lasts}))
    return token


def new_token() -> str:
    """Return a secret of 192 random bits, as 32 characters.

    The characters are letters, digits, - and _.
    """
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(token: str) -> str:
    """Return a secret's SHA-256, which is stored instead of the secret.

    A slow hash is not needed, because nobody can guess the secret.
    """
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
