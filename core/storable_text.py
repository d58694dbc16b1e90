"""Characters that no stored text may contain: NUL, and lone surrogates."""

import re

_ODD = re.compile("[\0\ud800-\udfff]")


def odd_character(text: str) -> str | None:
    """Return the name of the first character that cannot be stored in a text; None if all can be stored."""
    match = _ODD.search(text)
    if match is None:
        return None
    return "the character NUL" if match[0] == "\0" else "half of a character (a lone surrogate)"
