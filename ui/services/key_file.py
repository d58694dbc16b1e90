"""Make the key file of a data folder. Raters' return keys and the server's cookies are derived from the key in it."""

import os
import secrets
from pathlib import Path

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
