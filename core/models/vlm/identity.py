"""Identify the model that gave an answer, for signatures and to detect that a server changed its model.

A server may report its model's folder as the name. Folders are private and differ between machines. So a signature
contains only the last component of the path. For a folder in the Hugging Face hub's cache, it contains the repository
and the commit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from core.errors import ModelChanged

LONGEST_NAME = 100  # maximum characters of a name in a signature
ANY = "any"  # value in a signature instead of a fingerprint, if fingerprints may change
_CACHED = re.compile(r"models--([^/]+?)--([^/]+)/snapshots/([0-9a-f]{7,64})(?:/|$)")
_PATH = re.compile(r"[/~.]|[A-Za-z]:/|[a-z][a-z0-9+]*://", re.ASCII)


class Named(NamedTuple):
    """A model's name, and its revision if the name contains one."""

    name: str
    revision: str | None = None


def public_name(name: str) -> Named:
    """Return a model's name without private folders."""
    text = "".join(sign for sign in name if sign.isprintable()).replace("\\", "/").strip()
    cached = _CACHED.search(text)
    if cached is not None:
        return Named(f"{cached[1]}/{cached[2]}"[:LONGEST_NAME], cached[3])
    shown = PurePosixPath(text).name if _PATH.match(text) else text
    return Named(shown[:LONGEST_NAME] or "unnamed")


@dataclass(frozen=True, slots=True)
class Identity:
    """The model that an answer names. A field is None if the server does not report it."""

    model: str | None = None
    fingerprint: str | None = None

    def __str__(self) -> str:
        named = f"model {self.model or 'without a name'}"
        return f"{named}, system_fingerprint {self.fingerprint}" if self.fingerprint else named


def identity_of(answer: Any) -> Identity:
    """Return the model that an answer names.

    All fields are None if the answer does not have the expected structure.
    """
    fields = answer if isinstance(answer, Mapping) else {}
    model, fingerprint = fields.get("model"), fields.get("system_fingerprint")
    return Identity(
        public_name(model).name if isinstance(model, str) and model.strip() else None,
        public_name(fingerprint).name if isinstance(fingerprint, str) and fingerprint.strip() else None,
    )


def check_identity(answer: Any, expected: Identity, where: str) -> None:
    """Raise ModelChanged if an answer names another model than expected.

    where: the server's address. An answer that names no model is accepted. The expected fingerprint ANY matches every
    fingerprint.
    """
    identity = identity_of(answer)
    pairs = ((identity.model, expected.model), (identity.fingerprint, expected.fingerprint))
    if any(one is not None and other not in (one, ANY) for one, other in pairs):
        raise ModelChanged(f"{where} answers with another model. Before: {expected}. Now: {identity}.")
