"""How Gradio is built into the app."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from ui.services.workplace import Workplace


def test_gradio_makes_one_app_for_all_pages(
    app_of: Callable[[Workplace], FastAPI], workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gradio.routes import App

    made, create = [], App.create_app

    def counted(*given: Any, **named: Any) -> App:
        made.append(create(*given, **named))
        return made[-1]

    monkeypatch.setattr(App, "create_app", staticmethod(counted))
    app_of(workplace)
    assert len(made) == 1
    assert App.create_app is counted  # as Gradio has it, for whoever uses it beside us
