"""Import Gradio without writing editor stubs, and build pages without apps that are never used.

During its import, Gradio parses the source of each of its 80 components and writes stubs for editors. The stubs are
stored beside Gradio's own files. That takes half of its import time at every start, and only editors use the stubs
(decision 139).
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

_WRITES_STUBS = "gradio.component_meta"


def _no_stub(*_: object) -> None:
    """Replace Gradio's function that writes a stub file for each component."""


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        module.create_or_modify_pyi = _no_stub  # type: ignore[attr-defined]


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path) if fullname == _WRITES_STUBS else None
        if found is not None and found.origin is not None:
            found.loader = _Loader(fullname, found.origin)
        return found


@contextmanager
def _without_stubs() -> Iterator[None]:
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


with _without_stubs():
    import gradio as gr

from gradio.routes import App  # noqa: E402  once Gradio is imported


@contextmanager
def without_apps() -> Iterator[None]:
    """Build Gradio's pages in the `with` block without making unused web apps.

    Gradio builds the pages in six steps. In each step it would make a web app, and the next step would replace this
    app. Only the app that is made after the last step is used. The other apps would take a third or more of the
    preparation time.
    """
    create = App.__dict__["create_app"]
    App.create_app = staticmethod(lambda *_, **__: None)
    try:
        yield
    finally:
        App.create_app = create


__all__ = ["gr", "without_apps"]
