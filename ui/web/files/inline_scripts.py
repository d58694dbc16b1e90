"""Scripts that are written into a page, and their hashes for its content security policy.

A script with an address of its own may fail to load, so it cannot handle failed loads.
"""

import base64
import hashlib

from markupsafe import Markup

from ui.web.files.static_files import StaticFiles

RETRYING = "plain_pages/retrying.js"


def inline_script(files: StaticFiles, name: str) -> Markup:
    """Return a script element with the text of one of our scripts. Raises KeyError, and ValueError if it ends early."""
    text = files.text(name)
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError(f"{name} cannot be written into a page: it holds the end of a script or a comment.")
    return Markup(f"<script>{text}</script>")


def script_hash(files: StaticFiles, name: str) -> str:
    """Return the source expression that allows exactly the text of a script: 'sha256-…', with its quotes."""
    digest = hashlib.sha256(files.contents[name]).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
