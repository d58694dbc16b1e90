"""Store and end the browser sessions of account holders and raters."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, bindparam, delete, insert, or_, select, update

from core.errors import NotFound, StorageUnavailable
from storage.accounts.accounts import revoke
from storage.accounts.tokens import hashed, new_token
from storage.accounts.types import Account, Session
from storage.engine.database import Database, utc_now
from storage.study_types import Rater
from storage.tables import AccountRow, RaterRow, SessionRow, StudyLinkRow, StudyRow

ACCOUNT_LASTS = timedelta(days=7)  # time from a session's last use to its end
RATER_LASTS = timedelta(days=180)  # time from a session's last use to its end
SEEN_EVERY = timedelta(minutes=10)  # minimum time between two updates of a session's last use
SEEN_PATIENCE_S = 0.05  # maximum seconds to wait for storing a session's last use; short, because a reader waits for it
KEPT = timedelta(days=30)  # how long ended sessions are kept
AHEAD = timedelta(minutes=5)  # how far in the future a session's times may lie; a larger distance means a wrong clock
LONGEST_BROWSER = 60

_HASH: BindParameter[str] = bindparam("hash")
# These queries are built once, because they run for every answer. If a clock is set back, the start of a session may
# lie in the future. A rater's session stays valid then, because a rater without a return key could not come back.
# An account holder's session ends, because account holders can sign in again.
_BY_TOKEN = select(SessionRow.id, SessionRow.seen_at).where(
    SessionRow.token_hash == _HASH, SessionRow.revoked_at.is_(None), SessionRow.expires_at > bindparam("now")
)
_RATER = (
    _BY_TOKEN.add_columns(RaterRow.id.label("rater"), RaterRow.code, SessionRow.link_id, StudyLinkRow.study_id)
    .join(RaterRow, RaterRow.id == SessionRow.rater_id)
    .join(StudyLinkRow, StudyLinkRow.id == SessionRow.link_id, isouter=True)
)
_OF_ACCOUNT = ("name", "role", "password", "created_at", "stamp")
_ACCOUNT = _BY_TOKEN.add_columns(*(AccountRow.__table__.c[name] for name in _OF_ACCOUNT))
_ACCOUNT = _ACCOUNT.add_columns(AccountRow.id.label("account")).join(AccountRow, AccountRow.id == SessionRow.account_id)
_FROM_NOW = SessionRow.made_at <= bindparam("latest")
_ACCOUNT = _ACCOUNT.where(AccountRow.disabled.is_(False), _FROM_NOW)
_LISTED = (
    select(*SessionRow.__table__.columns, AccountRow.name.label("account"), RaterRow.code)
    .add_columns(StudyRow.name.label("study"))
    .join(AccountRow, AccountRow.id == SessionRow.account_id, isouter=True)
    .join(RaterRow, RaterRow.id == SessionRow.rater_id, isouter=True)
    .join(StudyLinkRow, StudyLinkRow.id == SessionRow.link_id, isouter=True)
    .join(StudyRow, StudyRow.id == StudyLinkRow.study_id, isouter=True)
    .where(SessionRow.revoked_at.is_(None), SessionRow.expires_at > bindparam("now"))
    .where(or_(SessionRow.account_id.is_(None), _FROM_NOW))
    .order_by(SessionRow.seen_at.desc(), SessionRow.id.desc())
)


class Sessions:
    """Operations on sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start_account(self, account: Account, browser: str) -> str:
        """Start a session of an account. Return its secret."""
        with self._database.write() as connection:
            return start(connection, {"account_id": account.id}, browser, ACCOUNT_LASTS)

    def start_rater(self, rater: Rater, browser: str) -> str:
        """Start a session of a rater who came without a link. Return its secret."""
        with self._database.write() as connection:
            return start(connection, {"rater_id": rater.id}, browser, RATER_LASTS)

    def account(self, token: str) -> tuple[int, Account] | None:
        """Return the session's number and account, or None if the session is over."""
        row = self._living(_ACCOUNT, token, ACCOUNT_LASTS)
        if row is None:
            return None
        return row.id, Account(
            row.account, row.name, row.role, row.password is not None, False, row.created_at, row.stamp
        )

    def rater(self, token: str) -> Rater | None:
        """Return the session's rater, or None if the session is over.

        If the rater came through a study link, the rater may rate only the study of this link.
        """
        row = self._living(_RATER, token, RATER_LASTS)
        return None if row is None else Rater(row.rater, row.code, row.study_id)

    def of_account(self, account: Account) -> tuple[Session, ...]:
        """Return an account's active sessions, most recently used first."""
        return self._listed(SessionRow.account_id == account.id)

    def all(self) -> tuple[Session, ...]:
        """Return every active session, most recently used first."""
        return self._listed()

    def end(self, token: str) -> None:
        """End the session that has this secret."""
        with self._database.write() as connection:
            revoke(connection, SessionRow.token_hash == hashed(token))

    def revoke(self, session: int, account: Account | None = None) -> Session:
        """End a session. Raises NotFound.

        account: end the session only if it belongs to this account.
        """
        sessions = [one for one in (self.all() if account is None else self.of_account(account)) if one.id == session]
        if not sessions:
            raise NotFound(f"There is no session with the number {session}.")
        with self._database.write() as connection:
            revoke(connection, SessionRow.id == session)
        return sessions[0]

    def _listed(self, *of: ColumnElement[bool]) -> tuple[Session, ...]:
        with self._database.read() as connection:
            now = utc_now()
            rows = connection.execute(_LISTED.where(*of), {"now": now, "latest": now + AHEAD}).all()
        kept = ("browser", "made_at", "seen_at", "expires_at")
        return tuple(Session(r.id, r.account, r.code, r.study, *(getattr(r, name) for name in kept)) for r in rows)

    def _living(self, query: Any, token: str, lasts: timedelta) -> Any:
        now = utc_now()
        with self._database.read() as connection:
            row = connection.execute(query, {"hash": hashed(token), "now": now, "latest": now + AHEAD}).first()
        if row is not None and not -AHEAD <= now - row.seen_at <= SEEN_EVERY:
            self._see(row.id, now, lasts)
        return row

    def _see(self, session: int, now: datetime, lasts: timedelta) -> None:
        """Store that a session is in use now.

        If the database cannot be written now, a later request stores the session's last use.
        """
        values = {"seen_at": now, "expires_at": now + lasts}
        with suppress(StorageUnavailable), self._database.write(SEEN_PATIENCE_S) as connection:
            connection.execute(update(SessionRow).where(SessionRow.id == session).values(values))


def start(connection: Connection, whose: dict[str, int], browser: str, lasts: timedelta) -> str:
    """Store a session. Return its secret. Delete sessions that ended long ago."""
    token, now = new_token(), utc_now()
    over = or_(SessionRow.revoked_at < now - KEPT, SessionRow.expires_at < now - KEPT)
    connection.execute(delete(SessionRow).where(over))
    described = "".join(letter for letter in browser if letter.isprintable())[:LONGEST_BROWSER]
    values = {"token_hash": hashed(token), "browser": described, "made_at": now, "seen_at": now}
    connection.execute(insert(SessionRow).values({**values, **whose, "expires_at": now + lasts}))
    return token
