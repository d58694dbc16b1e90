"""Gradio is imported without what it writes for editors."""

from pathlib import Path


def test_gradio_writes_no_stubs_while_it_is_imported() -> None:
    from ui.web.frame.gradio_import import gr

    class Told(gr.HTML):  # type: ignore[misc]
        """A component of our own: a stub of it would be written beside this file."""

        EVENTS: list[str] = []

    assert Told.__name__ == "Told"
    assert not Path(__file__).with_suffix(".pyi").exists()
