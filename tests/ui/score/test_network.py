"""Model servers behind an authority and a proxy of one's own."""

import re
from collections.abc import Iterator
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


def asked(run: Run, dataset: str, url: str, **environ: object) -> Ran:
    command = ("score", "FLEUR", "--dataset", dataset, "--limit", 2, "--option", "side=28", "--json")
    return run(*command, "--endpoint", url, **{name: str(value) for name, value in environ.items()})


def test_a_certificate_of_an_unknown_authority_is_refused_at_once_with_what_to_set(
    run: Run, dataset: str, port: int
) -> None:
    ran = asked(run, dataset, f"https://localhost:{port}/v1")
    assert ran.code == 2 and "CAPSCOPE_CA_FILE" in ran.err and "unable to get local issuer certificate" in ran.err


def test_a_certificate_of_ones_own_authority_is_trusted_when_its_file_is_set(
    run: Run, dataset: str, port: int, own: Authority
) -> None:
    url = f"https://localhost:{port}/v1"
    assert asked(run, dataset, url, CAPSCOPE_CA_FILE=own.ca).json["scored"] == 2
    assert f"{url} answers" in run("models", CAPSCOPE_ENDPOINT=url, CAPSCOPE_CA_FILE=str(own.ca)).out


def test_a_certificate_for_another_host_is_refused_in_spite_of_its_authority(
    run: Run, dataset: str, port: int, own: Authority
) -> None:
    ran = asked(run, dataset, f"https://127.0.0.1:{port}/v1", CAPSCOPE_CA_FILE=own.ca)
    assert ran.code == 2 and "not valid for '127.0.0.1'" in ran.err


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_only_the_proxy_reaches_is_asked_through_it(
    run: Run, dataset: str, own: Authority, port: int, url: str, scheme: str
) -> None:
    with proxying({"gpu.lab": port if scheme == "https" else port_of(url)}) as proxy:
        ran = asked(run, dataset, f"{scheme}://gpu.lab/v1", CAPSCOPE_PROXY=proxy.url, CAPSCOPE_CA_FILE=own.ca)
    assert ran.json["scored"] == 2
    request = "CONNECT gpu.lab:443" if scheme == "https" else "POST http://gpu.lab/v1/chat/completions"
    assert request in proxy.asked


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxys_password_is_sent_to_it_and_told_to_nobody(
    run: Run, dataset: str, url: str, own: Authority, port: int, tmp_path: Path, scheme: str
) -> None:
    server = f"{scheme}://gpu.lab/v1"
    with proxying({"gpu.lab": port if scheme == "https" else port_of(url)}, "Basic amFuYTpzZXNhbWU=") as proxy:
        address = proxy.url.replace("//", "//jana:sesame@")
        ran = asked(run, dataset, server, CAPSCOPE_PROXY=address, CAPSCOPE_CA_FILE=own.ca)
        assert ran.json["scored"] == 2 and "sesame" not in ran.out + ran.err
        wrong = asked(run, dataset, server, CAPSCOPE_PROXY=proxy.url.replace("//", "//jana:1234@"))
    assert wrong.code == 2 and "the proxy rejected the user or password" in wrong.err and "1234" not in wrong.err
    assert not any(b"sesame" in path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())


def test_this_machine_and_the_named_hosts_are_asked_without_the_proxy(run: Run, dataset: str, url: str) -> None:
    with proxying({}) as proxy:
        assert asked(run, dataset, url, CAPSCOPE_PROXY=proxy.url).json["scored"] == 2
        direct = {"CAPSCOPE_PROXY": proxy.url, "CAPSCOPE_NO_PROXY": "other.example, .invalid"}
        assert asked(run, dataset, "http://gpu.invalid/v1", **direct).code == 2
        assert proxy.asked == []


def test_a_proxy_of_the_environment_that_capscope_was_not_told_of_is_not_asked(
    run: Run, dataset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxying({"gpu.invalid": 1}) as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert asked(run, dataset, "http://gpu.invalid/v1").code == 2
        assert proxy.asked == []


@pytest.mark.parametrize(
    ("variable", "text", "said"),
    [
        ("CAPSCOPE_CA_FILE", "/nowhere/ca.pem", r"cannot read certificates from /nowhere/ca.pem \(No such file"),
        ("CAPSCOPE_CA_FILE", __file__, "it contains no certificate in PEM format"),
        ("CAPSCOPE_PROXY", "jana:sesame@proxy", "must be an address such as http://proxy.example:3128"),
        ("CAPSCOPE_PROXY", "socks5://jana:sesame@proxy:1", "must be an address"),
        ("CAPSCOPE_NO_PROXY", "a.example:80", "without ports"),
    ],
)
def test_a_wrong_setting_is_told_when_capscope_starts(run: Run, variable: str, text: str, said: str) -> None:
    ran = run("models", **{variable: text})
    assert ran.code == 2 and re.search(f"{variable}.*{said}", ran.err) and "sesame" not in ran.err
