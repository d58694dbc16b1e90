"""Make secrets that are shown to a user only once.

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
    """Return a secret's SHA-256, which is stored instead of the secret.

    A slow hash is not needed, because nobody can guess the secret.
    """
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
