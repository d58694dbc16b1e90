"""How a rater's part in a study ends, and the recruitment platforms to which raters return.

Prolific replaces ``{{%PROLIFIC_PID%}}`` in a study's link, and accepts a completion code. SONA replaces
``%SURVEY_CODE%`` in the link, and receives the result through the return address. CloudResearch Connect appends its own
parameters to the link. Links in which a placeholder was not replaced are rejected, because all participants would have
the same id.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qs, quote, urlsplit

from core.errors import BadSetting

Ending = Literal["done", "screened_out", "full", "returned", "excluded"]
LONGEST_ID = 200
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+~-]*")  # ids of platforms; never a formula or markup
_HOST = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?")  # host of an address, without user and password
_PARAMETER = re.compile(r"[\w.-]{1,60}", re.ASCII)
_FILLED = ("code", "person")


@dataclass(frozen=True, slots=True)
class EndingWords:
    """Words for one way in which a rater's part in a study ends."""

    step: str  # name in the flow of participants
    raters: str  # "raters who ..."
    returns: bool  # True: the rater returns to the platform with a code or by an address


ENDINGS: Mapping[Ending, EndingWords] = {
    "done": EndingWords("finished", "finish", True),
    "screened_out": EndingWords("screened out", "are screened out", True),
    "full": EndingWords("found the study full", "find the study full", True),
    "returned": EndingWords("returned", "leave", False),
    "excluded": EndingWords("excluded", "are excluded", False),
}
RETURNING = tuple(ending for ending, words in ENDINGS.items() if words.returns)


@dataclass(frozen=True, slots=True)
class End:
    """How a rater returns to the platform at the end: a completion code or an address."""

    code: str = ""  # completion code for the rater; empty: none
    address: str = ""  # https://... with placeholders {code} and {person}; empty: none

    def __post_init__(self) -> None:
        """Raise BadSetting for a code or address that cannot be used."""
        if len(self.code) > LONGEST_ID or not self.code.isprintable():
            raise BadSetting(f"A completion code may have at most {LONGEST_ID} printable characters.")
        if self.address and (not self.address.startswith("https://") or len(self.address) > 1000):
            raise BadSetting(f"A return address must begin with https://, found {self.address[:80]!r}.")
        if self.address and not _HOST.fullmatch(urlsplit(self.address).netloc):  # a placeholder would choose the host
            raise BadSetting(
                f"A return address must name a host, such as https://app.example, found {self.address[:80]!r}."
            )
        if re.search(r"[\s\x00-\x1f\x7f]", self.address):
            raise BadSetting(f"A return address must have no spaces or line breaks, found {self.address[:80]!r}.")
        unknown = set(re.findall(r"{(.*?)}", self.address)) - set(_FILLED)
        if unknown:
            raise BadSetting(
                f"A return address may contain only the placeholders {', '.join(_FILLED)}, found {unknown.pop()!r}."
            )


@dataclass(frozen=True, slots=True)
class Platform:
    """A recruitment platform that sends participants to a study's link."""

    name: str
    person: str  # name of the address parameter with the participant's id
    ends: Mapping[Ending, End] = field(default_factory=dict)  # codes and addresses; an ending without an entry has none

    def __post_init__(self) -> None:
        """Raise BadSetting for a parameter's name that a web address cannot contain."""
        if not 1 <= len(self.name) <= 60 or not self.name.isprintable():
            raise BadSetting("A platform's name must have 1 to 60 printable characters.")
        if not _PARAMETER.fullmatch(self.person):
            raise BadSetting(f"A parameter's name may have letters, digits, . _ and -, found {self.person[:80]!r}.")

    def arrival(self, query: str) -> str | None:
        """Return the participant's id from the query of the link; None if the query has no id.

        query: the part of the address after the question mark.
        """
        try:
            given = parse_qs(query, max_num_fields=50)
        except ValueError:  # the address has more fields than any platform sends
            return None
        person = given.get(self.person, [""])[0].strip()
        if person in ("", self.person, _placeholder(self.person)):
            return None
        return person if len(person) <= LONGEST_ID and _ID.fullmatch(person) else None

    def way_back(self, ending: Ending, person: str) -> End:
        """Return the completion code and address with which a participant returns to the platform."""
        end = self.ends.get(ending, End())
        filled = "" if "{code}" in end.address and not end.code else end.address
        for name, value in (("code", end.code), ("person", person)):
            filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
        return End(end.code, filled)

    def missing(self, possible: Collection[Ending]) -> tuple[Ending, ...]:
        """Return the endings after which raters get neither a completion code nor a return address.

        possible: the endings that can occur in the study.
        """
        return tuple(ending for ending in possible if self.way_back(ending, "id") == End())

    def address(self, link: str) -> str:
        """Return the study link with the parameter that the platform fills in."""
        return link if self.person in _APPENDED else f"{link}?{self.person}={_placeholder(self.person)}"


def _placeholder(name: str) -> str:
    """Return the placeholder that the platform replaces by a parameter's value.

    For an unknown parameter, returns the parameter's name in braces.
    """
    return _PLACEHOLDER.get(name, f"{{{name}}}")


_PLACEHOLDER = {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}", "survey_code": "%SURVEY_CODE%"}
_APPENDED = frozenset({"participantId"})  # CloudResearch Connect adds it to an address
_COMPLETE = "https://app.prolific.com/submissions/complete?cc={code}"
PRESETS: tuple[Platform, ...] = (
    Platform("Prolific", "PROLIFIC_PID", dict.fromkeys(RETURNING, End(address=_COMPLETE))),
    Platform("CloudResearch", "participantId"),
    Platform("SONA", "survey_code"),
)
