"""Import spaCy without torch.

spaCy's library thinc imports torch if torch is installed, which takes seconds. Capscope's own pipeline needs only
numpy. So while spaCy is imported, `import torch` fails in the importing thread, as on a machine without torch. Other
threads are not affected. If torch was imported before, it stays imported.
"""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Hidden(MetaPathFinder):
    """An import finder that hides a module from one thread."""

    def __init__(self, name: str) -> None:
        self._name, self._thread = name, threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return None, so that Python asks the other finders. Raises ModuleNotFoundError for the hidden module."""
        if fullname == self._name and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} is hidden while another library is imported", name=fullname)
        return None


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Make `import name` fail in this thread, unless the module was imported before."""
    finder = Hidden(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def import_spacy() -> ModuleType:
    """Return the module spaCy. If it is not yet imported, import it without torch."""
    with hidden("torch"):
        import spacy
    module: ModuleType = spacy
    return module
