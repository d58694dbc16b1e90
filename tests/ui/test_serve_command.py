import gc
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.errors import BadSetting
from ui.commands.serve import run
from ui.services.workplace import Workplace, hold_for_serving, served_at
from ui.settings import Settings

if TYPE_CHECKING:
    from ui.web.server import Server


@pytest.fixture
def port() -> Iterator[int]:
    """A port that is taken until the test is over."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


def test_what_the_app_consists_of_is_set_aside_before_it_serves_and_garbage_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[tuple[bool, bool]] = []

    def serve_until_interrupted(server: "Server") -> None:
        served.append((gc.isenabled(), gc.get_freeze_count() > 100_000))
        server._listening.close()
        server._workplace.repository.close()

    monkeypatch.setattr("ui.web.server.Server.serve_until_interrupted", serve_until_interrupted)
    gc.unfreeze()  # what tests set aside for themselves
    run(Settings(data_dir=tmp_path, port=0))
    assert served == [(True, True)]
    assert "Capscope is at http://127.0.0.1" in capsys.readouterr().out


def test_garbage_is_looked_for_again_when_the_app_cannot_be_prepared(tmp_path: Path, port: int) -> None:
    gc.unfreeze()
    with pytest.raises(BadSetting, match="--port"):
        run(Settings(data_dir=tmp_path, port=port))
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.freeze()  # as tests/conftest.py has it


def test_a_second_server_of_a_data_folder_on_another_port_is_refused(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.web import server

    for name, instead in (("Server", None), ("_listen", None), ("ensure_demo", None), ("open_workplace", workplace)):
        monkeypatch.setattr(server, name, lambda *_, instead=instead: instead)
    hold_for_serving(workplace.data_dir, "http://127.0.0.1:7861")
    assert served_at(workplace.data_dir) == "http://127.0.0.1:7861"
    with pytest.raises(BadSetting, match="Another Capscope process already uses the data folder"):
        server.prepare(Settings(data_dir=workplace.data_dir))
