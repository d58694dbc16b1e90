from pathlib import Path

import pytest

from core.errors import BadSetting
from ui.settings import VARIABLES, Settings, check_host


def test_without_variables_the_defaults_hold() -> None:
    assert Settings.from_env({}) == Settings(Path("capscope-data"), "127.0.0.1", 7860)


def test_every_setting_has_a_variable_and_is_read_from_it() -> None:
    environ = {"CAPSCOPE_DATA": "elsewhere", "CAPSCOPE_HOST": "::1", "CAPSCOPE_PORT": "8000", "HOME": "/root"}
    environ["CAPSCOPE_WARM"] = "0"
    assert set(VARIABLES) == {"data_dir", "host", "port", "warm"}
    assert Settings.from_env(environ) == Settings(Path("elsewhere"), "::1", 8000, warm=False)


def test_whether_to_warm_is_yes_or_no() -> None:
    assert Settings.from_env({"CAPSCOPE_WARM": "1"}).warm
    assert not Settings.from_env({"CAPSCOPE_WARM": "0"}).with_options(port=9000).warm
    with pytest.raises(BadSetting, match="CAPSCOPE_WARM must be 1 or 0, found 'yes'"):
        Settings.from_env({"CAPSCOPE_WARM": "yes"})


def test_an_empty_variable_counts_as_not_set() -> None:
    assert Settings.from_env(dict.fromkeys(VARIABLES.values(), "")) == Settings()


def test_options_go_before_variables() -> None:
    settings = Settings.from_env({"CAPSCOPE_DATA": "elsewhere", "CAPSCOPE_PORT": "8000"})
    assert settings.with_options(port=9000) == Settings(Path("elsewhere"), "127.0.0.1", 9000)
    assert settings.with_options(data_dir=Path("here"), host="localhost") == Settings(Path("here"), "localhost", 8000)


@pytest.mark.parametrize("port", ["0", "65536", "-1", "80.5", "http", "٣", "1e3", " 80"])
def test_a_port_that_is_none_is_refused_with_the_variables_name(port: str) -> None:
    with pytest.raises(BadSetting, match=r"CAPSCOPE_PORT must be a port from 1 to 65535, found"):
        Settings.from_env({"CAPSCOPE_PORT": port})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_an_address_of_this_machine_is_served(host: str) -> None:
    assert check_host(host) == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "capscope.example", "", "127.0.0.1.evil.example"])
def test_an_address_that_others_can_reach_is_refused_with_the_reason(host: str) -> None:
    with pytest.raises(BadSetting, match="without sign-in"):
        check_host(host)
