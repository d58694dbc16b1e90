"""Which model answers, as its server names it: for signatures, and to notice that another model answers.

A server may name the folder that it loaded. Folders say how somebody's machine is set up and differ between machines,
so a signature has the last part of the path; of a folder in the hub's cache it has the repository and the commit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from core.errors import ModelChanged

LONGEST_NAME = 100  # characters of a name in a signature
ANY = "any"  # as a signature's fingerprint: fingerprints may change
_CACHED = re.compile(r"models--([^/]+?)--([^/]+)/snapshots/([0-9a-f]{7,64})(?:/|$)")
_PATH = re.compile(r"[/~.]|[A-Za-z]:/|[a-z][a-z0-9+]*://", re.ASCII)


class Named(NamedTuple):
    """A model's name, and its revision where the name holds one."""

    name: str
    revision: str | None = None


def public_name(name: str) -> Named:
    """Return what a model's name says without the folder that it may be."""
    text = "".join(sign for sign in name if sign.isprintable()).replace("\\", "/").strip()
    cached = _CACHED.search(text)
    if cached is not None:
        return Named(f"{cached[1]}/{cached[2]}"[:LONGEST_NAME], cached[3])
    shown = PurePosixPath(text).name if _PATH.match(text) else text
    return Named(shown[:LONGEST_NAME] or "unnamed")


@dataclass(frozen=True, slots=True)
class Identity:
    """What an answer says of the model that gave it. None: the server does not say."""

    model: str | None = None
    fingerprint: str | None = None

    def __str__(self) -> str:
        named = f"model {self.model or 'without a name'}"
        return f"{named}, system_fingerprint {self.fingerprint}" if self.fingerprint else named


def identity_of(answer: Any) -> Identity:
    """Return what an answer says of its model; nothing is said where the answer has another shape."""
    said = answer if isinstance(answer, Mapping) else {}
    model, fingerprint = said.get("model"), said.get("system_fingerprint")
    return Identity(
        public_name(model).name if isinstance(model, str) and model.strip() else None,
        public_name(fingerprint).name if isinstance(fingerprint, str) and fingerprint.strip() else None,
    )


def check_identity(answer: Any, expected: Identity, where: str) -> None:
    """Raise ModelChanged where an answer says that it comes from another model than expected.

    where: the server's address. An answer that says nothing is no change; a fingerprint is not compared with ANY.
    """
    found = identity_of(answer)
    pairs = ((found.model, expected.model), (found.fingerprint, expected.fingerprint))
    if any(one is not None and other not in (one, ANY) for one, other in pairs):
        raise ModelChanged(f"{where} answers with another model than before: first {expected}, now {found}.")
