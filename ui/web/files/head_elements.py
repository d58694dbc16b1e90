"""Scripts inside the HTML of pages' heads.

One inline script handles files that fail to load. If this script were a file itself, it could also fail to load. A
second inline script must run before Gradio's scripts, but a browser may run separate files in another order.
"""

import base64
import hashlib

from markupsafe import Markup

from ui.web.files.static_files import StaticFiles

RETRYING = "plain_pages/retrying.js"
LOADING_TIMER = "shared/loading_timer.js"  # script that only pages drawn by Gradio need


def inline_script(files: StaticFiles, name: str) -> Markup:
    """Return a script element with the text of a static file.

    Raises KeyError. Raises ValueError if the text would end the element early.
    """
    text = files.text(name)
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError(f"{name} cannot be written into a page, because it contains the end of a script or a comment.")
    return Markup(f"<script>{text}</script>")


def script_hash(files: StaticFiles, name: str) -> str:
    """Return the CSP source expression that allows exactly this script.

    It has the form 'sha256-…', with quotes. CSP: content security policy.
    """
    digest = hashlib.sha256(files.contents[name]).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
