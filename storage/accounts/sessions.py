"""Sessions: browsers in which somebody has said who they are. Any of them can be ended from here."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, bindparam, delete, insert, or_, select, update

from core.errors import NotFound, StorageUnavailable
from storage.accounts.accounts import revoke
from storage.accounts.tokens import hashed, new_token
from storage.accounts.types import Account, Session
from storage.engine.database import Database, utc_now
from storage.rating.studies.deleting import SEEN
from storage.tables import AccountRow, RaterRow, SessionRow, StudyLinkRow, StudyRow
from storage.types import Rater

ACCOUNT_LASTS = timedelta(days=7)  # after it was last seen
RATER_LASTS = timedelta(days=180)  # likewise
SEEN_EVERY = timedelta(minutes=10)  # between two notes of when a session was last seen
SEEN_PATIENCE_S = 0.05  # for the note, which no reader waits for
KEPT = timedelta(days=30)  # how long an ended session is remembered
AHEAD = timedelta(minutes=5)  # a session dated later than this was made or seen while the server's clock was wrong
LONGEST_BROWSER = 60

_HASH: BindParameter[str] = bindparam("hash")
# Built once: asked at every save. A clock that is set back ends no rater's session: a rater without a return key could
# not come back. An account can sign in again, so its sessions from the future are void.
_BY_TOKEN = select(SessionRow.id, SessionRow.seen_at).where(
    SessionRow.token_hash == _HASH, SessionRow.revoked_at.is_(None), SessionRow.expires_at > bindparam("now")
)
_RATER = (
    _BY_TOKEN.add_columns(RaterRow.id.label("rater"), RaterRow.code, SessionRow.link_id, StudyLinkRow.study_id)
    .join(RaterRow, RaterRow.id == SessionRow.rater_id)
    .join(StudyLinkRow, StudyLinkRow.id == SessionRow.link_id, isouter=True)
)
_ACCOUNT = _BY_TOKEN.add_columns(*(AccountRow.__table__.c[name] for name in ("name", "role", "password", "created_at")))
_ACCOUNT = _ACCOUNT.add_columns(AccountRow.id.label("account")).join(AccountRow, AccountRow.id == SessionRow.account_id)
_FROM_NOW = SessionRow.made_at <= bindparam("latest")
_ACCOUNT = _ACCOUNT.where(AccountRow.disabled.is_(False), _FROM_NOW)
_LISTED = (
    select(*SessionRow.__table__.columns, AccountRow.name.label("account"), RaterRow.code)
    .add_columns(StudyRow.name.label("study"))
    .join(AccountRow, AccountRow.id == SessionRow.account_id, isouter=True)
    .join(RaterRow, RaterRow.id == SessionRow.rater_id, isouter=True)
    .join(StudyLinkRow, StudyLinkRow.id == SessionRow.link_id, isouter=True)
    .join(StudyRow, (StudyRow.id == StudyLinkRow.study_id) & SEEN, isouter=True)
    .where(SessionRow.revoked_at.is_(None), SessionRow.expires_at > bindparam("now"))
    .where(or_(SessionRow.account_id.is_(None), _FROM_NOW))
    .order_by(SessionRow.seen_at.desc(), SessionRow.id.desc())
)


class Sessions:
    """Verbs on sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start_account(self, account: Account, browser: str) -> str:
        """Begin a session of an account; returns its secret."""
        with self._database.write() as connection:
            return start(connection, {"account_id": account.id}, browser, ACCOUNT_LASTS)

    def start_rater(self, rater: Rater, browser: str) -> str:
        """Begin a session of a rater who came without a link; returns its secret."""
        with self._database.write() as connection:
            return start(connection, {"rater_id": rater.id}, browser, RATER_LASTS)

    def account(self, token: str) -> tuple[int, Account] | None:
        """Return number and account of a living session, or None."""
        row = self._living(_ACCOUNT, token, ACCOUNT_LASTS)
        if row is None:
            return None
        return row.id, Account(row.account, row.name, row.role, row.password is not None, False, row.created_at)

    def rater(self, token: str) -> Rater | None:
        """Return the rater of a living session, bound to the study of the link by which they came; or None."""
        row = self._living(_RATER, token, RATER_LASTS)
        return None if row is None else Rater(row.rater, row.code, row.study_id)

    def of_account(self, account: Account) -> tuple[Session, ...]:
        """Return an account's living sessions, the one seen last first."""
        return self._listed(SessionRow.account_id == account.id)

    def all(self) -> tuple[Session, ...]:
        """Return every living session, the one seen last first."""
        return self._listed()

    def end(self, token: str) -> None:
        """End the session of a secret."""
        with self._database.write() as connection:
            revoke(connection, SessionRow.token_hash == hashed(token))

    def revoke(self, session: int, account: Account | None = None) -> Session:
        """End a session, one of an account where that is given. Raises NotFound."""
        found = [one for one in (self.all() if account is None else self.of_account(account)) if one.id == session]
        if not found:
            raise NotFound(f"There is no session number {session}.")
        with self._database.write() as connection:
            revoke(connection, SessionRow.id == session)
        return found[0]

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
        """Note when a session was last seen; where nothing can be written now, a later request notes it."""
        values = {"seen_at": now, "expires_at": now + lasts}
        with suppress(StorageUnavailable), self._database.write(SEEN_PATIENCE_S) as connection:
            connection.execute(update(SessionRow).where(SessionRow.id == session).values(values))


def start(connection: Connection, whose: dict[str, int], browser: str, lasts: timedelta) -> str:
    """Store a session; returns its secret. What ended long ago is forgotten on the way."""
    token, now = new_token(), utc_now()
    over = or_(SessionRow.revoked_at < now - KEPT, SessionRow.expires_at < now - KEPT)
    connection.execute(delete(SessionRow).where(over))
    described = "".join(letter for letter in browser if letter.isprintable())[:LONGEST_BROWSER]
    values = {"token_hash": hashed(token), "browser": described, "made_at": now, "seen_at": now}
    connection.execute(insert(SessionRow).values({**values, **whose, "expires_at": now + lasts}))
    return token
