"""Admit people whom a recruitment platform sends through a study link.

A person who returns continues as the same rater.
"""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from core.errors import LinkOver
from core.foreign_values import reader
from core.studies.planning.platforms import Arrival, Platform
from storage.accounts.sessions import RATER_LASTS, start
from storage.accounts.study_links import OVER, StudyLinks, use
from storage.accounts.types import StudyLink
from storage.engine.database import Database, new_id, utc_now
from storage.study_types import Rater
from storage.tables import LinkPanelRow, PlatformPersonRow, RaterRow, StudyLinkRow, StudyRow, VisitRow

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # characters that people do not confuse with each other
_CODE_LETTERS = 8


class PanelLinks:
    """Operations on study links of recruitment platforms."""

    def __init__(self, database: Database, links: StudyLinks) -> None:
        self._database, self._links = database, links

    def make(
        self, study: int, panel: Platform, uses: int | None = None, expires_at: datetime | None = None
    ) -> tuple[StudyLink, str]:
        """Make a link for a recruitment platform. Return the link and its secret.

        Raises NotFound, BadSetting.
        """
        link, token = self._links.make(study, None, uses, expires_at)
        with self._database.write() as connection:
            connection.execute(insert(LinkPanelRow).values(link_id=link.id, panel=_stored(panel)))
        return link, token

    def panel(self, link: StudyLink) -> Platform | None:
        """Return the recruitment platform of a link, or None."""
        return self.panels((link,)).get(link.id)

    def panels(self, links: tuple[StudyLink, ...]) -> dict[int, Platform]:
        """Return the recruitment platforms of links; key: number of the link."""
        query = select(LinkPanelRow.link_id, LinkPanelRow.panel)
        query = query.where(LinkPanelRow.link_id.in_([link.id for link in links]))
        with self._database.read() as connection:
            return {row.link_id: _platform(row.panel) for row in connection.execute(query)}

    def arrive(self, link: StudyLink, arrival: Arrival, browser: str) -> tuple[Rater, str]:
        """Admit a person from the recruitment platform. Return the rater and the session's secret.

        A person who returns continues as the same rater. A rater who has left the study cannot return. Raises LinkOver
        if the link is closed. For a new person, LinkOver is also raised if the link has expired or no more uses are
        allowed.
        """
        with self._database.write() as connection:
            rater_id = connection.execute(
                select(PlatformPersonRow.rater_id, RaterRow.code)
                .join(RaterRow, RaterRow.id == PlatformPersonRow.rater_id)
                .where(PlatformPersonRow.study_id == link.study, PlatformPersonRow.person == arrival.person)
            ).first()
            if rater_id is None:
                use(connection, link)
                rater = _new_rater(connection, link, arrival)
            else:
                if connection.scalar(select(StudyLinkRow.closed_at).where(StudyLinkRow.id == link.id)) is not None:
                    raise LinkOver(OVER["closed"])
                rater = Rater(rater_id.rater_id, rater_id.code, link.study)
                of_rater = (PlatformPersonRow.study_id == link.study, PlatformPersonRow.rater_id == rater.id)
                seen = {"session": arrival.session, "platform_study": arrival.study, "link_id": link.id}
                connection.execute(update(PlatformPersonRow).where(*of_rater).values(seen))
            _visit(connection, link.study, rater.id)
            whose = {"rater_id": rater.id, "link_id": link.id}
            return rater, start(connection, whose, browser, RATER_LASTS)

    def knows(self, link: StudyLink, arrival: Arrival) -> bool:
        """Return whether a person from the recruitment platform was admitted before."""
        query = select(PlatformPersonRow.rater_id).where(
            PlatformPersonRow.study_id == link.study, PlatformPersonRow.person == arrival.person
        )
        with self._database.read() as connection:
            return connection.scalar(query) is not None

    def way_in(self, study: int, rater: Rater) -> tuple[Platform, Arrival] | None:
        """Return a rater's recruitment platform and the platform's ids of the rater.

        None: the rater has no recruitment platform.
        """
        query = (
            select(LinkPanelRow.panel, PlatformPersonRow.person, PlatformPersonRow.platform_study)
            .add_columns(PlatformPersonRow.session)
            .join(LinkPanelRow, LinkPanelRow.link_id == PlatformPersonRow.link_id)
            .where(PlatformPersonRow.study_id == study, PlatformPersonRow.rater_id == rater.id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (_platform(row.panel), Arrival(row.person, row.platform_study, row.session))

    def codes(self, study: int, names: list[str]) -> list[str]:
        """Return the codes of raters. Raises NotFound.

        names: for each rater, either the rater's code or the recruitment platform's id of the rater.
        """
        query = (
            select(PlatformPersonRow.person, RaterRow.code)
            .join(RaterRow, RaterRow.id == PlatformPersonRow.rater_id)
            .where(PlatformPersonRow.study_id == study, PlatformPersonRow.person.in_(names))
        )
        with self._database.read() as connection:
            by_person = dict(connection.execute(query).all())
        return [by_person.get(name, name.upper()) for name in names]


def _stored(panel: Platform) -> dict[str, Any]:
    values: dict[str, Any] = reader(Platform).dump_python(panel, mode="json")
    return values


def _platform(stored: dict[str, Any]) -> Platform:
    panel: Platform = reader(Platform).validate_python(stored)
    return panel


def _visit(connection: Connection, study: int, rater: int) -> None:
    """Store that a rater came to a study.

    A draft study stores no visits, because it has only previews and no raters.
    """
    state = connection.scalar(select(StudyRow.state).where(StudyRow.id == study))
    came = select(VisitRow.rater_id).where(VisitRow.study_id == study, VisitRow.rater_id == rater)
    if state != "draft" and connection.scalar(came) is None:
        connection.execute(insert(VisitRow).values(study_id=study, rater_id=rater, came_at=utc_now()))


def _new_rater(connection: Connection, link: StudyLink, arrival: Arrival) -> Rater:
    """Make a rater who belongs only to this study.

    The rater's code does not identify the person.
    """
    code = "P-" + "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
    now = utc_now()
    rater = new_id(connection.execute(insert(RaterRow).values(code=code, created_at=now)))
    called = {"person": arrival.person, "platform_study": arrival.study, "session": arrival.session}
    whose = {"study_id": link.study, "rater_id": rater, "link_id": link.id}
    connection.execute(insert(PlatformPersonRow).values(**whose, **called))
    return Rater(rater, code, link.study)
