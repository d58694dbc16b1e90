"""Secrets that are handed out once; only their hash is stored, so that nobody can take them from a copy of the data."""

import hashlib
import secrets

_BYTES = 24


def new_token() -> str:
    """Return a secret of 192 random bits as 32 letters, digits, - and _."""
    return secrets.token_urlsafe(_BYTES)


def hashed(token: str) -> str:
    """Return what is stored of a secret: its SHA-256; slow hashes are for what can be guessed."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
