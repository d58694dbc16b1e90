"""Import spaCy without torch: thinc, below it, imports torch wherever it is installed, which takes seconds.

The bundled pipeline runs on numpy alone. So `import torch` fails for the importing thread while spaCy is imported,
as it would on a machine without torch; other threads are not touched, and a torch that was imported before stays.
"""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Hidden(MetaPathFinder):
    """Says, to one thread only, that a module is not installed."""

    def __init__(self, name: str) -> None:
        self._name, self._thread = name, threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return None, which leaves the search to others; raises ModuleNotFoundError for the hidden module."""
        if fullname == self._name and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} is hidden while another library is imported", name=fullname)
        return None


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Let `import name` fail in this thread, unless the module was imported before."""
    finder = Hidden(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def import_spacy() -> ModuleType:
    """Return spaCy, imported without torch where it was not imported yet."""
    with hidden("torch"):
        import spacy
    module: ModuleType = spacy
    return module
