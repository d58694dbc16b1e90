"""Make secrets that are shown once.

Only their hashes are stored, so copies of the data contain no secrets.
"""

import hashlib
import secrets

_BYTES = 24


def new_token() -> str:
    """Return a secret of 192 random bits, as 32 characters.

    The characters are letters, digits, - and _.
    """
    return secrets.token_urlsafe(_BYTES)


def hashed(token: str) -> str:
    """Return the SHA-256 of a secret for storage. A slow hash is not needed, because nobody can guess the secret."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
