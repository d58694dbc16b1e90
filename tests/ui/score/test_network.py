"""Model servers behind an authority and a proxy of one's own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command_line import Ran, Run
from tests.own_network import Authority, authority, proxying
from tests.served_llava import ServedLlava, serving


@pytest.fixture
def own(tmp_path: Path) -> Authority:
    return authority(tmp_path, ["localhost", "gpu.lab"])


@pytest.fixture
def port(server: ServedLlava, own: Authority) -> Iterator[int]:
    """The port of a server with a certificate of one's own authority."""
    with serving(server.app(), ssl_certfile=own.certificate, ssl_keyfile=own.key) as url:
        yield port_of(url)


def port_of(url: str) -> int:
    return int(url.split(":")[2].partition("/")[0])


@pytest.fixture
def asked(run: Run, dataset: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Return what scores two captions with a server, with variables of the environment."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)

    def asking(url: str, **environ: object) -> Ran:
        for name, value in environ.items():
            monkeypatch.setenv(name, str(value))
        command = ("score", "FLEUR", "--dataset", dataset, "--limit", 2, "--option", "side=28", "--json")
        return run(*command, "--endpoint", url)

    return asking


def test_a_certificate_of_an_unknown_authority_is_refused_at_once_with_what_to_set(
    asked: Callable[..., Ran], port: int, own: Authority
) -> None:
    url = f"https://localhost:{port}/v1"
    ran = asked(url)
    assert ran.code == 2 and "SSL_CERT_FILE" in ran.err and "unable to get local issuer certificate" in ran.err
    assert asked(url, SSL_CERT_FILE=own.ca).json["scored"] == 2
    ran = asked(f"https://127.0.0.1:{port}/v1")
    assert ran.code == 2 and "not valid for '127.0.0.1'" in ran.err


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxys_password_is_sent_to_it_and_told_to_nobody(
    asked: Callable[..., Ran], url: str, own: Authority, port: int, tmp_path: Path, scheme: str
) -> None:
    server, variable = f"{scheme}://gpu.lab/v1", f"{scheme.upper()}_PROXY"
    with proxying({"gpu.lab": port if scheme == "https" else port_of(url)}, "Basic amFuYTpzZXNhbWU=") as proxy:
        address = proxy.url.replace("//", "//jana:sesame@")
        ran = asked(server, SSL_CERT_FILE=own.ca, **{variable: address})
        assert ran.json["scored"] == 2 and "sesame" not in ran.out + ran.err
        wrong = asked(server, **{variable: proxy.url.replace("//", "//jana:1234@")})
    assert wrong.code == 2 and "the proxy rejected the user or password" in wrong.err and "1234" not in wrong.err
    assert not any(b"sesame" in path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())


def test_a_server_on_this_computer_is_asked_without_the_proxy(asked: Callable[..., Ran], url: str) -> None:
    with proxying({}) as proxy:
        assert asked(url, HTTP_PROXY=proxy.url).json["scored"] == 2
        assert proxy.asked == []
