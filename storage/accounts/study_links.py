"""Store links that lead raters into one study.

A personal link belongs to one rater, named by a code. Anybody can use an open link.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from core.errors import AlreadyExists, BadSetting, LinkOver, NotFound
from storage.accounts.accounts import revoke
from storage.accounts.sessions import RATER_LASTS, start
from storage.accounts.tokens import hashed, new_token
from storage.accounts.types import StudyLink
from storage.engine.database import Database, new_id, utc_now
from storage.rating.raters import clean_code
from storage.study_types import Rater
from storage.tables import ParticipationRow, RaterRow, SessionRow, StudyLinkRow, StudyRow

MOST_USES = 100_000
OPEN_USES = 100  # how often an open link may be used, by default
OVER = {
    "closed": "This link was closed.",
    "expired": "This link has expired.",
    "used_up": "This link has been used as often as allowed.",
}
_LINKS: Select[Any] = select(*StudyLinkRow.__table__.columns, RaterRow.code).join(
    RaterRow, RaterRow.id == StudyLinkRow.rater_id, isouter=True
)


class StudyLinks:
    """Operations on study links."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(
        self, study: int, code: str | None = None, uses: int | None = None, expires_at: datetime | None = None
    ) -> tuple[StudyLink, str]:
        """Make a study link. Return the link and its secret.

        code: the code of the rater to whom the link belongs. A rater is created if no rater has the code. None: anybody
        can use the link (an open link). uses: number of browsers that may enter. None: any number of browsers for a
        rater's own link, and OPEN_USES browsers for an open link. Raises NotFound, BadSetting.
        Raises AlreadyExists if the code's rater belongs to another study, since a code and its key belong to one study.
        """
        if uses is not None and not 1 <= uses <= MOST_USES:
            raise BadSetting(f"The number of uses of a link must be from 1 to {MOST_USES}, found {uses}.")
        if code is None and uses is None:
            uses = OPEN_USES
        token = new_token()
        with self._database.write() as connection:
            if connection.scalar(select(StudyRow.id).where(StudyRow.id == study)) is None:
                raise NotFound(f"There is no study number {study}.")
            rater = None if code is None else _rater(connection, clean_code(code))
            if rater is not None and _is_others(connection, study, rater):
                raise AlreadyExists(f"The code {clean_code(code or '')} is taken. Choose another one.")
            values = {"study_id": study, "token_hash": hashed(token), "rater_id": rater, "uses_allowed": uses}
            values |= {"made_at": utc_now(), "expires_at": expires_at}
            link = new_id(connection.execute(insert(StudyLinkRow).values(values)))
            return _get(connection, link), token

    def taken(self, study: int, codes: Collection[str]) -> tuple[str, ...]:
        """Return those codes whose raters belong to another study and not to this one, sorted."""
        query = select(RaterRow.code, RaterRow.id).where(RaterRow.code.in_(codes)).order_by(RaterRow.code)
        with self._database.read() as connection:
            return tuple(
                code for code, rater in connection.execute(query).all() if _is_others(connection, study, rater)
            )

    def of_study(self, study: int) -> tuple[StudyLink, ...]:
        """Return a study's links, newest first."""
        query = _LINKS.where(StudyLinkRow.study_id == study).order_by(StudyLinkRow.id.desc())
        with self._database.read() as connection:
            return tuple(map(_link, connection.execute(query)))

    def find(self, token: str) -> StudyLink | None:
        """Return the link that has this secret, or None."""
        with self._database.read() as connection:
            row = connection.execute(_LINKS.where(StudyLinkRow.token_hash == hashed(token))).first()
        return None if row is None else _link(row)

    def close(self, study: int, link: int, end_sessions: bool = False) -> StudyLink:
        """Close a link. Raises NotFound.

        end_sessions: also end the sessions of raters who entered through the link.
        """
        with self._database.write() as connection:
            row = connection.execute(_LINKS.where(StudyLinkRow.id == link, StudyLinkRow.study_id == study)).first()
            if row is None:
                raise NotFound(f"This study has no link with the number {link}.")
            if row.closed_at is None:
                connection.execute(update(StudyLinkRow).where(StudyLinkRow.id == link).values(closed_at=utc_now()))
            if end_sessions:
                revoke(connection, SessionRow.link_id == link)
            return _get(connection, link)

    def enter(self, link: StudyLink, code: str, browser: str) -> tuple[Rater, str]:
        """Admit a browser as the link's rater or as a new rater.

        Returns the rater and the session's secret. Raises LinkOver, which states why the link does not work. Raises
        BadSetting. Raises AlreadyExists if another rater has the code.
        """
        with self._database.write() as connection:
            use(connection, link)
            if link.rater is not None:
                code = link.rater
            rater = connection.scalar(select(RaterRow.id).where(RaterRow.code == clean_code(code)))
            if rater is not None and link.rater is None:
                raise AlreadyExists(
                    f"The code {clean_code(code)} is taken. Choose another one, or give its return key."
                )
            entered = Rater(rater or _rater(connection, clean_code(code)), clean_code(code), link.study)
            whose = {"rater_id": entered.id, "link_id": link.id}
            return entered, start(connection, whose, browser, RATER_LASTS)

    def come_back(self, link: StudyLink, rater: Rater, browser: str) -> tuple[Rater, str]:
        """Admit a rater who has entered a return key and so is already known.

        A return key identifies a rater. If this rater has not been in this study before, the visit counts as a use of
        the link. Raises LinkOver if the link is closed or belongs to another rater, or if the rater belongs to another
        study.
        """
        if link.rater not in (None, rater.code):
            raise LinkOver("This link belongs to another rater.")
        with self._database.write() as connection:
            if _get(connection, link.id).closed_at is not None:
                raise LinkOver(OVER["closed"])
            if _is_others(connection, link.study, rater.id):
                raise LinkOver("This return key does not belong to this study.")
            part = (ParticipationRow.study_id == link.study, ParticipationRow.rater_id == rater.id)
            came = (SessionRow.link_id == link.id, SessionRow.rater_id == rater.id)
            takes_part = connection.scalar(select(func.count()).where(*part)) or connection.scalar(
                select(func.count()).where(*came)
            )
            if not takes_part:
                use(connection, link)
            whose = {"rater_id": rater.id, "link_id": link.id}
            return Rater(rater.id, rater.code, link.study), start(connection, whose, browser, RATER_LASTS)


def use(connection: Connection, link: StudyLink) -> None:
    """Count one more browser that entered through a link. Raises LinkOver."""
    now = _get(connection, link.id)  # the link's current state in this transaction
    state = now.state(utc_now())
    if state != "open":
        raise LinkOver(OVER[state])
    connection.execute(update(StudyLinkRow).where(StudyLinkRow.id == link.id).values(used=now.used + 1))


def _rater(connection: Connection, code: str) -> int:
    rater_id = connection.scalar(select(RaterRow.id).where(RaterRow.code == code))
    return rater_id or new_id(connection.execute(insert(RaterRow).values(code=code, created_at=utc_now())))


def _is_others(connection: Connection, study: int, rater: int) -> bool:
    """Return whether a rater belongs to another study and not to this one.

    A rater belongs to a study if the rater takes part in it or has a link to it.
    """
    parts = select(ParticipationRow.study_id).where(ParticipationRow.rater_id == rater)
    links = select(StudyLinkRow.study_id).where(StudyLinkRow.rater_id == rater)
    entered = select(StudyLinkRow.study_id).join(SessionRow, SessionRow.link_id == StudyLinkRow.id)
    studies = set(connection.scalars(parts.union(links, entered.where(SessionRow.rater_id == rater))))
    return bool(studies) and study not in studies


def _get(connection: Connection, link: int) -> StudyLink:
    return _link(connection.execute(_LINKS.where(StudyLinkRow.id == link)).one())


def _link(row: Any) -> StudyLink:
    kept = ("uses_allowed", "used", "made_at", "expires_at", "closed_at")
    return StudyLink(row.id, row.study_id, row.code, *(getattr(row, name) for name in kept))
