import gc
import socket
from pathlib import Path

import pytest

from core.errors import BadSetting
from ui.commands.serve import run
from ui.services.workplace import Workplace, hold_for_serving, served_at
from ui.settings import Settings


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(BadSetting, match="--port"):
        run(Settings(data_dir=tmp_path, port=taken.getsockname()[1]))
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
