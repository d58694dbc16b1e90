"""The secret key of a data folder. Raters' return keys and the names of the server's cookies are derived from it."""

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from core.errors import BadSetting

KEY_DIGITS = 64  # hexadecimal digits


def make_key(path: Path) -> None:
    """Write a new key file in one step. If another process has just written a key file, keep that file."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_hex(KEY_DIGITS // 2))
    try:
        os.link(unfinished, path)
    except FileExistsError:
        pass
    finally:
        unfinished.unlink()


class Secret:
    """The secret key of a data folder. It is made at its first use, and only its owner can read it."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            make_key(path)
        self._key = path.read_text()
        if len(self._key) < KEY_DIGITS:
            raise BadSetting(
                f"The key in {path} is incomplete. Stop all Capscope processes, delete the file and start Capscope "
                "again."
            )
        # differs between data folders, because browsers share cookies between ports of a host
        self.cookie_name = f"capscope_{self.digest('cookie name')[:8].lower()}"

    def digest(self, text: str) -> str:
        """Return a digest of a text that depends on the secret key.

        Only a holder of the key can compute it. The digest is in base32, with capital letters and digits.
        """
        return base64.b32encode(hmac.new(self._key.encode(), text.encode(), hashlib.sha256).digest()).decode()

    def return_key(self, rater_id: int) -> str:
        """Return the short return key of a rater.

        With it the rater can continue in another browser.
        """
        return self.digest(f"return key of rater {rater_id}")[:8]
