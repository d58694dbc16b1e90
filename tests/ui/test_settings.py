from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from core.errors import BadSetting
from core.models import Endpoint
from ui.setting_values import PublicUrl
from ui.settings import VARIABLES, Settings, check_reach


def test_defaults_hold_without_variables_and_options_go_before_variables() -> None:
    assert Settings.from_env({}) == Settings(Path("capscope-data"), "127.0.0.1", 7860)
    assert Settings.from_env(dict.fromkeys(VARIABLES.values(), "")) == Settings()  # empty counts as not set
    settings = Settings.from_env({"CAPSCOPE_DATA": "elsewhere", "CAPSCOPE_PORT": "8000"})
    assert settings.with_options(port=9000) == Settings(Path("elsewhere"), "127.0.0.1", 9000)
    assert settings.with_options(data_dir=Path("here"), host="localhost") == Settings(Path("here"), "localhost", 8000)


def test_every_setting_has_a_variable_and_is_read_from_it(tmp_path: Path) -> None:
    environ = {"CAPSCOPE_DATA": "elsewhere", "CAPSCOPE_HOST": "::1", "CAPSCOPE_PORT": "8000", "HOME": "/root"}
    environ |= {"CAPSCOPE_WARM": "0", "CAPSCOPE_PUBLIC_URL": "https://a.example"}
    environ |= {"CAPSCOPE_TRUSTED_PROXIES": "127.0.0.1", "CAPSCOPE_PLUGIN": "a:B, c.d:E,"}
    environ["CAPSCOPE_NEW_RATERS"] = "200"
    environ |= {"CAPSCOPE_ENDPOINT": "http://gpu:8000", "CAPSCOPE_ENDPOINT_MODEL": "m", "CAPSCOPE_ENDPOINT_KEY": "k"}
    environ["CAPSCOPE_USER_HEADER"] = "X-Forwarded-Email"
    served = {"endpoint", "endpoint_model", "endpoint_key", "user_header"}
    environ["CAPSCOPE_DATABASE"] = "postgresql://capscope@db.example/capscope"
    (tmp_path / "password").write_text("p@ss/wörd\n")
    environ["CAPSCOPE_DATABASE_PASSWORD_FILE"] = str(tmp_path / "password")
    kept = {"database", "database_password_file"}
    reached = {"data_dir", "host", "port", "warm", "public_url", "trusted_proxies", "new_raters", "plugin"}
    environ |= {"CAPSCOPE_MIRROR": "https://mirror.example/raw/", "CAPSCOPE_DOWNLOAD_TIMEOUT": "7"}
    reached |= {"mirror", "download_timeout"}
    assert set(VARIABLES) == reached | served | kept
    address, proxies = PublicUrl("https", "a.example"), (ip_network("127.0.0.1"),)
    server = (200, ("a:B", "c.d:E"), "http://gpu:8000/v1", "m", "k", "X-Forwarded-Email")
    database = "postgresql+psycopg://capscope:p%40ss%2Fw%C3%B6rd@db.example/capscope"
    stored = (database, tmp_path / "password")
    expected = Settings(Path("elsewhere"), "::1", 8000, False, address, proxies, *server, *stored)
    expected = replace(expected, mirror="https://mirror.example/raw", download_timeout=7)
    assert Settings.from_env(environ) == expected and "rd@" not in repr(expected)


REFUSED = {
    "CAPSCOPE_DATABASE must be an address": [
        "sqlite:///a.db",
        "postgresql+psycopg://host",
        "postgresql://secret@h/a/b",
    ],
    "CAPSCOPE_ENDPOINT must be an address": ["gpu:8000", "ftp://gpu/v1", "http://user:secret@gpu/v1", "http://gpu?a=b"],
    "CAPSCOPE_PORT must be a port from 1 to 65535, found": ["0", "65536", "80.5", "٣"],
    "CAPSCOPE_WARM must be 1 or 0, found 'yes'": ["yes"],
    "CAPSCOPE_NEW_RATERS must be a whole number from 1 to 1000000": ["0", "many", "1000001", "²"],
    "CAPSCOPE_PUBLIC_URL must be an address such as https://example.org/capscope": [
        *("rate.example.org", "ftp://a.example", "https:///path", "https://a.example:70000", "https://exämple.org"),
        *("https://u:secret@a.example", "https://a.example/?x", "https://a.example/../b", "https://a.example\n"),
    ],
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_value_that_makes_no_sense_is_refused_with_the_variables_name_and_without_secrets(message: str) -> None:
    for text in REFUSED[message]:
        with pytest.raises(BadSetting, match=message) as refused:
            Settings.from_env({message.split()[0]: text})
        assert "secret" not in str(refused.value) or "postgresql" not in text


def test_to_listen_everywhere_the_server_must_know_its_address() -> None:
    proxies = (ip_network("10.0.0.0/8"),)
    for host in ("0.0.0.0", "::", ""):
        with pytest.raises(BadSetting, match="CAPSCOPE_PUBLIC_URL"):
            check_reach(Settings(host=host))
        check_reach(Settings(host=host, public_url=PublicUrl("https", "a.example"), trusted_proxies=proxies))
    for host in ("127.0.0.1", "localhost", "::1", "192.168.1.5", "lab.example"):
        check_reach(Settings(host=host))


def test_a_databases_password_stands_in_one_place(tmp_path: Path) -> None:
    address = {"CAPSCOPE_DATABASE": "postgresql+psycopg://capscope:a@db/capscope"}
    with pytest.raises(BadSetting, match="must contain a user but no password"):
        Settings.from_env(address | {"CAPSCOPE_DATABASE_PASSWORD_FILE": str(tmp_path / "a")})
    address = {"CAPSCOPE_DATABASE": "postgresql+psycopg://capscope@db/capscope"}
    with pytest.raises(BadSetting, match="cannot be read .*No such file"):
        Settings.from_env(address | {"CAPSCOPE_DATABASE_PASSWORD_FILE": str(tmp_path / "a")})


def test_options_name_another_server_and_the_key_stays_the_environments() -> None:
    settings = Settings.from_env({"CAPSCOPE_ENDPOINT": "http://gpu:8000/v1/", "CAPSCOPE_ENDPOINT_KEY": "k"})
    assert settings.model_server() == Endpoint("http://gpu:8000/v1", None, "k")
    assert settings.model_server("https://b.example/api/v1", "m") == Endpoint("https://b.example/api/v1", "m", "k")
    assert Settings().model_server() is None and "'k'" not in repr(settings)
    with pytest.raises(BadSetting, match="also needs --endpoint URL"):
        Settings().model_server(None, "m")


@pytest.mark.parametrize(
    ("text", "expected", "written"),
    [
        ("https://rate.example.org", PublicUrl("https", "rate.example.org"), "https://rate.example.org"),
        ("http://Lab:8080/", PublicUrl("http", "lab:8080"), "http://lab:8080"),
        ("https://a.example:443/capscope/", PublicUrl("https", "a.example", "/capscope"), "https://a.example/capscope"),
        ("http://[::1]:80/a/b.c", PublicUrl("http", "[::1]", "/a/b.c"), "http://[::1]/a/b.c"),
        ("HTTPS://a.example", PublicUrl("https", "a.example"), "https://a.example"),
    ],
)
def test_the_public_address_is_read_as_browsers_will_send_it(text: str, expected: PublicUrl, written: str) -> None:
    found = Settings.from_env({"CAPSCOPE_PUBLIC_URL": text}).public_url
    assert found == expected and str(found) == written
    assert found.is_https == written.startswith("https:") and written.startswith(found.origin)


def test_proxies_are_addresses_or_networks() -> None:
    found = Settings.from_env({"CAPSCOPE_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,fd00::/8,"}).trusted_proxies
    assert found == tuple(map(ip_network, ("127.0.0.1/32", "10.0.0.0/8", "fd00::/8")))
    for text in ("proxy.example", "10.0.0.1/8", "*", "127.0.0.1;10.0.0.1"):
        with pytest.raises(BadSetting, match="CAPSCOPE_TRUSTED_PROXIES must be addresses or networks"):
            Settings.from_env({"CAPSCOPE_TRUSTED_PROXIES": text})


def test_sign_in_is_demanded_wherever_others_may_reach_the_server() -> None:
    assert not any(Settings(host=host).demands_sign_in for host in ("127.0.0.1", "localhost", "::1"))
    assert all(Settings(host=host).demands_sign_in for host in ("0.0.0.0", "::", "192.168.1.5", "127.0.0.1.example"))
    assert Settings(public_url=PublicUrl("http", "localhost:8080")).demands_sign_in


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", PublicUrl("https", "lab.example")),
        ("0.0.0.0", PublicUrl("https", "lab.example")),
        ("127.0.0.1", PublicUrl("https", "127.0.0.1:8443")),
        ("127.0.0.1", PublicUrl("http", "lab.example")),
    ],
)
def test_where_a_proxy_must_be_there_and_only_there_it_must_be_named(host: str, url: PublicUrl) -> None:
    with pytest.raises(BadSetting, match="CAPSCOPE_TRUSTED_PROXIES=127.0.0.1"):
        check_reach(Settings(host=host, public_url=url))
    check_reach(Settings(host=host, public_url=url, trusted_proxies=(ip_network("127.0.0.1"),)))
    with pytest.raises(BadSetting, match="CAPSCOPE_TRUSTED_PROXIES"):
        check_reach(Settings(user_header="X-Forwarded-Email"))
    check_reach(Settings(host="0.0.0.0", public_url=PublicUrl("http", "lab:7860")))
    for here in ("127.0.0.1:7860", "localhost:7860", "[::1]:7860"):
        check_reach(Settings(public_url=PublicUrl("http", here)))


def test_a_key_is_trimmed_and_a_key_that_no_header_can_hold_is_refused_without_showing_it() -> None:
    assert Settings.from_env({"CAPSCOPE_ENDPOINT_KEY": " sk-sesame\r\n"}).endpoint_key == "sk-sesame"
    assert Settings.from_env({"CAPSCOPE_ENDPOINT_KEY": " \n"}).endpoint_key is None
    for key in ("sk-ses\name", "sk-sésame", "sk ses", "sk-\x00ame", "sk-ses\u2028ame"):
        with pytest.raises(BadSetting, match="^CAPSCOPE_ENDPOINT_KEY must be one line") as refused:
            Settings.from_env({"CAPSCOPE_ENDPOINT_KEY": key})
        assert "sk" not in str(refused.value)
        with pytest.raises(BadSetting, match="A model server's key must be one line"):
            Endpoint("http://gpu:8000/v1", key=key)
