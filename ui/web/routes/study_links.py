"""Routes to make and close study links, and to show a rater's return key."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, get_args

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from core.errors import NotFound
from core.studies.planning.recruitment import PRESETS, End, EndKind, Platform, platform_of
from storage.accounts.study_links import MOST_USES
from storage.accounts.types import LinkState, StudyLink
from storage.engine.database import utc_now
from storage.rating.assignment.raters import clean_code
from ui.services.accounts.invitations import check_codes, study_address
from ui.services.studies.study_warnings import possible_ends
from ui.web.access.access_checks import note
from ui.web.routes import Id
from ui.web.routes.dependencies import BaseAddressDep, RepositoryDep, SecretDep, WorkplaceDep

MOST_CODES = 200  # maximum number of personal links in one request
LONGEST_DAYS = 3650


class NewLinks(BaseModel):
    """Study links to make for raters.

    codes: raters' codes; each rater gets a personal link. Without codes, one open link is made that many raters can
    use.
    """

    model_config = ConfigDict(extra="forbid")
    codes: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=MOST_CODES)
    # maximum number of browsers that can use a link; None: OPEN_USES for an open link, unlimited for a rater's own link
    uses: int | None = Field(default=None, ge=1, le=MOST_USES)
    days: int | None = Field(default=None, ge=1, le=LONGEST_DAYS)  # days until the link expires; None: it never expires


class EndBody(BaseModel):
    """How a participant returns to the recruitment platform when their part in the study ends.

    Each way in which it can end has its own completion code and address. Examples of such ways are "done" and "failed
    check".
    """

    model_config = ConfigDict(extra="forbid")
    code: str = Field(default="", max_length=200)
    address: str = Field(default="", max_length=1000)


class PanelBody(BaseModel):
    """A recruitment platform for which a link is to be made."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=60)
    person: str = Field(max_length=60)  # person, study and session are names of URL parameters
    study: str = Field(default="", max_length=60)
    session: str = Field(default="", max_length=60)
    done: EndBody = EndBody()
    screened_out: EndBody = EndBody()
    full: EndBody = EndBody()
    failed_gold: EndBody = EndBody()
    uses: int | None = Field(default=None, ge=1, le=MOST_USES)
    days: int | None = Field(default=None, ge=1, le=LONGEST_DAYS)

    def panel(self) -> Platform:
        """Return the recruitment platform in the request. Raises BadSetting."""
        return platform_of(self.model_dump(exclude={"uses", "days"}))


class PanelEnds(BaseModel):
    """New completion codes and return addresses of a recruitment platform's link."""

    model_config = ConfigDict(extra="forbid")
    done: EndBody
    screened_out: EndBody
    full: EndBody
    failed_gold: EndBody

    def ends(self) -> dict[EndKind, End]:
        """Return how raters are sent back to the recruitment platform.

        The keys are the ways in which a rater's part in the study can end. Raises BadSetting.
        """
        return {kind: End(**getattr(self, kind).model_dump()) for kind in get_args(EndKind)}


class WhoseKey(BaseModel):
    """A rater whose return key is wanted."""

    model_config = ConfigDict(extra="forbid")
    code: str = Field(max_length=100)


@dataclass(frozen=True, slots=True)
class LinkJson:
    """A study link as researchers see it."""

    id: int
    rater: str | None  # the rater's code; None: an open link, with which raters choose a code
    panel: str | None  # recruitment platform that uses the link, so that raters need no code; None: no platform
    ends: Mapping[EndKind, End] | None  # how raters return to the platform; None: no platform uses the link
    state: LinkState
    uses_allowed: int | None
    used: int
    made_at: str  # time in UTC, ISO 8601
    expires_at: str | None


@dataclass(frozen=True, slots=True)
class NewLinkJson:
    """A new study link. The server shows its address only now."""

    link: LinkJson
    address: str


@dataclass(frozen=True, slots=True)
class PlatformsJson:
    """The data that the form for a recruitment platform's link needs."""

    presets: tuple[Platform, ...]
    possible: tuple[EndKind, ...]  # ways in which the study can end for a rater


@dataclass(frozen=True, slots=True)
class ReturnKeyJson:
    """A rater's return key, with which the rater can continue in another browser."""

    code: str
    return_key: str


ROUTER = APIRouter(prefix="/api/studies/{study_id}")


@ROUTER.get("/links")
def links(study_id: Id, repository: RepositoryDep) -> tuple[LinkJson, ...]:
    """List a study's links."""
    repository.studies.get(study_id)
    study_links = repository.links.of_study(study_id)
    panels = repository.panel_links.panels(study_links)
    return tuple(_link_json(link, panels.get(link.id)) for link in study_links)


@ROUTER.get("/panels")
def panels(study_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> PlatformsJson:
    """List known recruitment platforms.

    Also list the ways in which a rater's part in the study can end. Each of them needs a completion code.
    """
    study, stop = repository.studies.get(study_id), repository.quality.watch(study_id).stop_after_gold
    return PlatformsJson(PRESETS, possible_ends(workplace, study, stop))


@ROUTER.post("/panel-links", status_code=201)
def make_for_panel(
    study_id: Id, body: PanelBody, request: Request, repository: RepositoryDep, base: BaseAddressDep
) -> NewLinkJson:
    """Make a link for a recruitment platform."""
    study, panel = repository.studies.get(study_id), body.panel()
    expires = None if body.days is None else utc_now() + timedelta(days=body.days)
    link, token = repository.panel_links.make(study.id, panel, body.uses, expires)
    note(request, f"study {study.name}: {panel.name}")
    return NewLinkJson(_link_json(link, panel), panel.address(study_address(base, token)))


@ROUTER.put("/panel-links/{link_id}")
def change_for_panel(
    study_id: Id, link_id: Id, body: PanelEnds, request: Request, repository: RepositoryDep
) -> LinkJson:
    """Change the completion codes of a platform's link. Its address stays valid."""
    link, panel = repository.panel_links.change(study_id, link_id, body.ends())
    note(request, f"study {study_id}: link {link_id} ({panel.name})")
    return _link_json(link, panel)


@ROUTER.post("/links", status_code=201)
def make(
    study_id: Id,
    body: NewLinks,
    request: Request,
    workplace: WorkplaceDep,
    repository: RepositoryDep,
    base: BaseAddressDep,
) -> tuple[NewLinkJson, ...]:
    """Make links for raters."""
    study = repository.studies.get(study_id)
    expires = None if body.days is None else utc_now() + timedelta(days=body.days)
    codes = tuple(dict.fromkeys(map(clean_code, body.codes))) or (None,)
    check_codes(workplace, study, [code for code in codes if code])  # checked before any link is made
    made = [repository.links.make(study.id, code, body.uses, expires) for code in codes]
    note(request, f"study {study.name}, links: {', '.join(link.rater or 'open' for link, _ in made)} (open: any rater)")
    return tuple(NewLinkJson(_link_json(link), study_address(base, token)) for link, token in made)


@ROUTER.delete("/links/{link_id}")
def close(
    study_id: Id, link_id: Id, request: Request, repository: RepositoryDep, end_sessions: bool = False
) -> LinkJson:
    """Close a link."""
    link = repository.links.close(study_id, link_id, end_sessions)
    panel = repository.panel_links.panel(link)
    ended = ", and its raters signed out" if end_sessions else ""
    note(request, f"study {study_id}: link {link_id} ({link.rater or 'open'}){ended}")
    return _link_json(link, panel)


@ROUTER.post("/keys")
def return_key(
    study_id: Id, body: WhoseKey, request: Request, repository: RepositoryDep, secret: SecretDep
) -> ReturnKeyJson:
    """Return the key with which a rater can continue in another browser."""
    study = repository.studies.get(study_id)
    raters = [rater for rater in repository.studies.progress(study_id) if rater.code == body.code]
    if not raters:
        raise NotFound(f"{body.code!r} is not a rater of {study.name}.")
    note(request, f"rater {body.code}")
    return ReturnKeyJson(body.code, secret.return_key(raters[0].id))


def _link_json(link: StudyLink, panel: Platform | None = None) -> LinkJson:
    times = (_time(link.made_at), None if link.expires_at is None else _time(link.expires_at))
    ends = None if panel is None else {kind: getattr(panel, kind) for kind in get_args(EndKind)}
    whose = (link.rater, None if panel is None else panel.name, ends)
    return LinkJson(link.id, *whose, link.state(utc_now()), link.uses_allowed, link.used, *times)


def _time(time: datetime) -> str:
    return f"{time.isoformat(timespec='seconds')}Z"
