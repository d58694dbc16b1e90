"""List the licences of all installed packages, by the packages' own statements."""

from dataclasses import dataclass
from email.message import Message
from importlib.metadata import Distribution, distributions

# Licences with duties for people who distribute the package or offer it over a network.
_ASKING = ("AGPL", "AFFERO", "GPL", "MPL", "MOZILLA", "ARTISTIC", "EUPL", "CDDL", "EPL", "SSPL", "GENERAL PUBLIC")
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Licence:
    """The licence of one package."""

    package: str
    version: str
    licence: str  # the package's statement; "not stated" if it has none
    asks: bool  # whether the licence demands more than attribution


def installed_licences() -> tuple[Licence, ...]:
    """Return the licence of every installed package. Licences that demand more than attribution come first."""
    licences = {one.metadata["Name"]: _licence(one) for one in distributions()}
    return tuple(sorted(licences.values(), key=lambda one: (not one.asks, one.package.lower())))


def _licence(one: Distribution) -> Licence:
    about: Message = one.metadata  # type: ignore[assignment]  # the object is a Message, though its type promises less
    kinds = [kind.rpartition(" :: ")[2] for kind in about.get_all("Classifier") or [] if kind.startswith("License ::")]
    words = (about.get("License") or "").strip().partition("\n")[0]
    stated = about.get("License-Expression") or (words if words and len(words) <= _LONGEST else "") or ", ".join(kinds)
    licence_text = stated or "not stated"
    asks = any(name in f"{licence_text} {' '.join(kinds)}".upper() for name in _ASKING)
    return Licence(about["Name"], one.version, licence_text, asks)
