"""Encrypt handouts, the copies of assignments that a rater's browser stores.

An encrypted handout is called a seal. Only this server can make or read seals. A handout contains an item and its
scores. With these scores a rater could distinguish metrics, so a handout is encrypted. The encryption key is derived
from the data folder's key.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import astuple
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

from pydantic import TypeAdapter, ValidationError

from storage.study_types import Handout

LONGEST_SEAL = 2_000  # maximum characters of an encrypted item (seal); an item with two texts to rate needs about 300
_HOW = {"alg": "dir", "enc": "A256GCM"}
_FIELDS = tuple(Handout.__dataclass_fields__)
_HANDOUT: TypeAdapter[Handout] = TypeAdapter(Handout)


class Seals:
    """Encrypts and decrypts handouts (copies of assignments) with the key of a data folder."""

    def __init__(self, key_file: Path) -> None:
        self._key_file = key_file

    def seal(self, handout: Handout) -> str:
        """Return a handout as encrypted text."""
        from joserfc import jwe  # imported only when the first item is handed out

        content = json.dumps(astuple(handout), default=str, separators=(",", ":"))
        return jwe.encrypt_compact(_HOW, content.encode(), self._key)

    def handout(self, seal: str) -> Handout | None:
        """Return the handout in a seal, or None for a text that this server did not seal."""
        from joserfc import jwe
        from joserfc.errors import JoseError

        if len(seal) > LONGEST_SEAL:
            return None
        try:
            content = jwe.decrypt_compact(seal, self._key).plaintext
            return _HANDOUT.validate_python(dict(zip(_FIELDS, json.loads(content or b""), strict=True)))
        except (JoseError, ValidationError, ValueError, TypeError):
            return None

    def handouts(self, seals: Iterable[object]) -> dict[str, Handout]:
        """Return the handouts in seals; key: assignment. Texts that are no seals are ignored."""
        opened = (self.handout(seal) for seal in set(filter(_is_text, seals)))
        return {handout.assignment: handout for handout in opened if handout is not None}

    @cached_property
    def _key(self) -> Any:
        from joserfc.jwk import OctKey

        return OctKey.import_key(hashlib.sha256(b"handouts " + self._key_file.read_bytes()).digest())


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)
