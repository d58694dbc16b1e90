"""Types for fields that look different in Python and in the server's JSON responses."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import PlainSerializer


@dataclass(frozen=True, slots=True)
class Rationale:
    """A text that explains a score: for one aspect of the caption, or for the whole caption."""

    aspect: str  # "overall", or the aspect fluency, relevance or descriptiveness
    text: str


def _listed(rationales: Mapping[str, str]) -> tuple[Rationale, ...]:
    return tuple(Rationale(aspect, text) for aspect, text in rationales.items())


def _in_seconds(time: datetime) -> str:
    return f"{time.isoformat(timespec='seconds')}Z"


# An explanation's texts by aspect. In JSON these texts are a list, because JSON objects have no guaranteed order.
Rationales = Annotated[Mapping[str, str], PlainSerializer(_listed, return_type=tuple[Rationale, ...])]
# Named numbers in a fixed order. In JSON, the numbers form an object with the names as keys.
Counts = Annotated[tuple[tuple[str, int], ...], PlainSerializer(dict, return_type=dict[str, int])]
# A time in UTC without a zone. The JSON text is ISO 8601 with a Z, to the second.
UtcTime = Annotated[datetime, PlainSerializer(_in_seconds, return_type=str)]
