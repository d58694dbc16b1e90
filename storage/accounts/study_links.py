"""Store links that lead raters into one study.

A personal link belongs to one rater, named by a code. Anybody can use an open link. A recruitment platform sends its
participants through a link of its own. A person who returns continues as the same rater.
"""

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, update

from core.errors import AlreadyExists, BadSetting, LinkOver, NotFound
from core.foreign_values import reader
from core.studies.planning.platforms import Platform
from storage.accounts.sessions import RATER_LASTS, hashed, new_token, start
from storage.accounts.types import StudyLink
from storage.engine.database import Operations, new_id, utc_now
from storage.rating.raters import clean_code, come
from storage.study_types import Rater
from storage.tables import (
    ParticipationRow,
    PlatformPersonRow,
    RaterRow,
    SessionRow,
    StudyLinkRow,
    StudyRow,
)

MOST_USES = 100_000
OPEN_USES = 100  # how often an open link may be used, by default
OVER = {
    "closed": "This link was closed.",
    "used_up": "This link has been used as often as allowed.",
}
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # characters that people do not confuse with each other
_CODE_LETTERS = 8
_LINKS: Select[Any] = select(*StudyLinkRow.__table__.columns, RaterRow.code).join(
    RaterRow, RaterRow.id == StudyLinkRow.rater_id, isouter=True
)


class StudyLinks(Operations):
    """Operations on study links."""

    def make(
        self, study: int, code: str | None = None, uses: int | None = None, panel: Platform | None = None
    ) -> tuple[StudyLink, str]:
        """Make a study link (see make_all). Return the link and its secret."""
        return self.make_all(study, [code], uses, panel)[0]

    def make_all(
        self, study: int, codes: Sequence[str | None], uses: int | None = None, panel: Platform | None = None
    ) -> list[tuple[StudyLink, str]]:
        """Make several study links, all or none. Return each link and its secret.

        codes: for each link, the code of the rater to whom the link belongs. A rater is created if no rater has the
        code. None: anybody can use the link (an open link). uses: number of browsers that may enter. None: any number
        of browsers for a rater's own link, and OPEN_USES browsers for an open link. panel: the recruitment platform.
        Raises NotFound, BadSetting.

        Raises AlreadyExists if raters of other studies have some of the codes, since a code and its key belong to one
        study. The message names no study, because its reader may not know of that study.
        """
        if uses is not None and not 1 <= uses <= MOST_USES:
            raise BadSetting(f"The number of uses of a link must be from 1 to {MOST_USES}, found {uses}.")
        cleaned = [None if code is None else clean_code(code) for code in codes]
        whose = {"study_id": study, "made_at": utc_now()}
        whose["panel"] = None if panel is None else reader(Platform).dump_python(panel, mode="json")
        made = []
        with self._database.write() as connection:
            if connection.scalar(select(StudyRow.id).where(StudyRow.id == study)) is None:
                raise NotFound(f"There is no study number {study}.")
            raters = {code: _rater(connection, code) for code in cleaned if code is not None}
            if taken := sorted(code for code, rater in raters.items() if _is_others(connection, study, rater)):
                raise AlreadyExists(
                    f"No link was created, because these codes are taken: {', '.join(taken)}. Choose other codes, for "
                    f"example {taken[0][:20]}-{study}."
                )
            for code in cleaned:
                token, allowed = new_token(), OPEN_USES if code is None and uses is None else uses
                values = {"token_hash": hashed(token), "rater_id": code and raters[code], "uses_allowed": allowed}
                link = new_id(connection.execute(insert(StudyLinkRow).values(whose | values)))
                made.append((_get(connection, link), token))
        return made

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
                connection.execute(delete(SessionRow).where(SessionRow.link_id == link))
            return _get(connection, link)

    def enter(self, link: StudyLink, code: str) -> tuple[Rater, str]:
        """Admit a browser as the link's rater or as a new rater.

        Returns the rater and the session's secret. Raises LinkOver, which states why the link does not work. Raises
        BadSetting. Raises AlreadyExists if another rater has the code.
        """
        with self._database.write() as connection:
            _use(connection, link)
            if link.rater is not None:
                code = link.rater
            rater = connection.scalar(select(RaterRow.id).where(RaterRow.code == clean_code(code)))
            if rater is not None and link.rater is None:
                raise AlreadyExists(
                    f"The code {clean_code(code)} is taken. Choose another one, or give its return key."
                )
            entered = Rater(rater or _rater(connection, clean_code(code)), clean_code(code), link.study)
            whose = {"rater_id": entered.id, "link_id": link.id}
            return entered, start(connection, whose, RATER_LASTS)

    def come_back(self, link: StudyLink, rater: Rater) -> tuple[Rater, str]:
        """Admit a rater who has entered a return key and so is already known. A used-up link stays open for the rater.

        Raises LinkOver if the link is closed or belongs to another rater, or if the rater belongs to another study.
        """
        if link.rater not in (None, rater.code):
            raise LinkOver("This link belongs to another rater.")
        with self._database.write() as connection:
            if _get(connection, link.id).closed_at is not None:
                raise LinkOver(OVER["closed"])
            if _is_others(connection, link.study, rater.id):
                raise LinkOver("This return key does not belong to this study.")
            whose = {"rater_id": rater.id, "link_id": link.id}
            return Rater(rater.id, rater.code, link.study), start(connection, whose, RATER_LASTS)

    def arrive(self, link: StudyLink, person: str) -> tuple[Rater, str]:
        """Admit a person from the recruitment platform. Return the rater and the session's secret.

        A person who returns continues as the same rater. A rater who has left the study cannot return. Raises LinkOver
        if the link is closed. For a new person, LinkOver is also raised if no more uses are allowed.
        """
        with self._database.write() as connection:
            known = connection.execute(
                select(PlatformPersonRow.rater_id, RaterRow.code)
                .join(RaterRow, RaterRow.id == PlatformPersonRow.rater_id)
                .where(*_is(link, person))
            ).first()
            if known is None:
                _use(connection, link)
                rater = _new_rater(connection, link, person)
            else:
                if _get(connection, link.id).closed_at is not None:
                    raise LinkOver(OVER["closed"])
                rater = Rater(known.rater_id, known.code, link.study)
                connection.execute(update(PlatformPersonRow).where(*_is(link, person)).values(link_id=link.id))
            if connection.scalar(select(StudyRow.state).where(StudyRow.id == link.study)) != "draft":
                come(connection, link.study, rater.id)  # a draft has only previews and no raters
            return rater, start(connection, {"rater_id": rater.id, "link_id": link.id}, RATER_LASTS)

    def knows(self, link: StudyLink, person: str) -> bool:
        """Return whether a person from the recruitment platform was admitted before."""
        with self._database.read() as connection:
            return connection.scalar(select(PlatformPersonRow.rater_id).where(*_is(link, person))) is not None

    def way_in(self, study: int, rater: Rater) -> tuple[Platform, str] | None:
        """Return a rater's recruitment platform and the platform's id of the rater. None: the rater has none."""
        query = (
            select(StudyLinkRow.panel, PlatformPersonRow.person)
            .join(StudyLinkRow, StudyLinkRow.id == PlatformPersonRow.link_id)
            .where(PlatformPersonRow.study_id == study, PlatformPersonRow.rater_id == rater.id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (reader(Platform).validate_python(row.panel), row.person)


def _is(link: StudyLink, person: str) -> tuple[Any, ...]:
    return PlatformPersonRow.study_id == link.study, PlatformPersonRow.person == person


def _new_rater(connection: Connection, link: StudyLink, person: str) -> Rater:
    """Make a rater who belongs only to this study. The rater's code does not identify the person."""
    code = "P-" + "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
    rater = _rater(connection, code)
    values = {"study_id": link.study, "rater_id": rater, "link_id": link.id, "person": person}
    connection.execute(insert(PlatformPersonRow).values(values))
    return Rater(rater, code, link.study)


def _use(connection: Connection, link: StudyLink) -> None:
    """Count one more browser that entered through a link. Raises LinkOver."""
    now = _get(connection, link.id)  # the link's current state in this transaction
    if now.state != "open":
        raise LinkOver(OVER[now.state])
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
    panel = None if row.panel is None else reader(Platform).validate_python(row.panel)
    whose = (row.id, row.study_id, row.code)
    return StudyLink(*whose, row.uses_allowed, row.used, row.made_at, row.closed_at, panel)
