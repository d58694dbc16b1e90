"""Panels that send people and take them back: which parameters of an address say who comes, and where they go.

Prolific fills ``?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`` into a study's
address and takes a completion code back; SONA fills in ``%SURVEY_CODE%`` and is told by an address; CloudResearch
Connect puts its own parameters behind the address. An address whose place was not filled says nobody: else all who
come would be one rater.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal
from urllib.parse import parse_qs, quote, urlsplit

from core.errors import BadSetting

EndKind = Literal["done", "screened_out", "full"]
LONGEST_ID = 200
_PARAMETER = re.compile(r"[\w.-]{1,60}", re.ASCII)
_FILLED = ("code", "person", "study", "session")


@dataclass(frozen=True, slots=True)
class End:
    """How somebody is sent back to the panel."""

    code: str = ""  # to be shown; empty: none
    address: str = ""  # https://...; {code}, {person}, {study} and {session} are filled in; empty: none

    def __post_init__(self) -> None:
        """Raise BadSetting for what cannot be shown or followed."""
        if len(self.code) > LONGEST_ID or not self.code.isprintable():
            raise BadSetting(f"A completion code has at most {LONGEST_ID} printable characters.")
        if self.address and (not self.address.startswith("https://") or len(self.address) > 1000):
            raise BadSetting(f"A way back begins with https://, found {self.address[:80]!r}.")
        if "{" in urlsplit(self.address).netloc:  # else whoever arrives would say where others are led
            raise BadSetting(f"A way back names its host itself, found {self.address[:80]!r}.")
        unknown = set(re.findall(r"{(.*?)}", self.address)) - set(_FILLED)
        if unknown:
            raise BadSetting(f"In a way back only {', '.join(_FILLED)} can stand in braces, found {unknown.pop()!r}.")


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who comes, as the panel calls them."""

    person: str
    study: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Platform:
    """A panel behind one study link."""

    name: str
    person: str  # name of the parameter that says who comes
    study: str = ""  # of the one that says for which of the panel's studies; empty: there is none
    session: str = ""  # name of the parameter that identifies the session; empty: there is none
    done: End = End()
    screened_out: End = End()
    full: End = End()

    def __post_init__(self) -> None:
        """Raise BadSetting for names that no address has."""
        if not 1 <= len(self.name) <= 60 or not self.name.isprintable():
            raise BadSetting("A panel has a name of 1 to 60 printable characters.")
        for parameter in (self.person, *filter(None, (self.study, self.session))):
            if not _PARAMETER.fullmatch(parameter):
                raise BadSetting(f"A parameter's name is letters, digits, . _ and -, found {parameter[:80]!r}.")

    def arrival(self, query: str) -> Arrival | None:
        """Return who comes by an address's query, without its question mark; None where it says nobody."""
        try:
            given = parse_qs(query, max_num_fields=50)
        except ValueError:  # more fields than any panel sends
            return None
        values = [given.get(name, [""])[0].strip() if name else "" for name in (self.person, self.study, self.session)]
        person, *rest = values
        if person in ("", self.person, _placeholder(self.person)):
            return None
        if any(len(value) > LONGEST_ID or not value.isprintable() for value in values):
            return None
        return Arrival(person, *rest)

    def way_back(self, kind: EndKind, arrival: Arrival) -> End:
        """Return how one person is sent back."""
        end: End = getattr(self, kind)
        filled = "" if "{code}" in end.address and not end.code else end.address
        for name, value in {"code": end.code, **asdict(arrival)}.items():
            filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
        return End(end.code, filled)

    def query(self) -> str:
        """Return what stands behind a link's question mark where it is given to the panel; empty: nothing."""
        names = (name for name in (self.person, self.study, self.session) if name and name not in _APPENDED)
        return "&".join(f"{name}={_placeholder(name)}" for name in names)

    def address(self, link: str) -> str:
        """Return a link as it is given to the panel."""
        query = self.query()
        return f"{link}?{query}" if query else link


def _placeholder(name: str) -> str:
    """Return what a panel replaces; of one that is not known it says in braces what belongs there."""
    return _PLACEHOLDER.get(name, f"{{{name}}}")


_PLACEHOLDER = {name: f"{{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")}
_PLACEHOLDER |= {"survey_code": "%SURVEY_CODE%"}
_APPENDED = frozenset({"participantId", "projectId", "assignmentId"})  # by CloudResearch Connect itself
_COMPLETE = "https://app.prolific.com/submissions/complete?cc={code}"
PRESETS: tuple[Platform, ...] = (
    Platform("Prolific", "PROLIFIC_PID", "STUDY_ID", "SESSION_ID", *(End(address=_COMPLETE),) * 3),
    Platform("CloudResearch", "participantId", "projectId", "assignmentId"),
    Platform("SONA", "survey_code"),
)


def platform_json(panel: Platform) -> dict[str, Any]:
    """Return a panel as it is stored."""
    return asdict(panel)


def platform_of(stored: Mapping[str, Any]) -> Platform:
    """Return a stored panel."""
    ends = {name: End(**stored[name]) for name in ("done", "screened_out", "full")}
    return Platform(**{**stored, **ends})
