"""Debian's nginx with the configuration of docs/how-to/deploy.md, on ports and in folders of the tests."""

import atexit
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.browser.conftest import ROOT, held_port, wait_until

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
DEPLOY = ROOT / "docs" / "deploy"
MAIN = """
daemon off;
user root;
pid {folder}/nginx.pid;
events {{ }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f;
    scgi_temp_path {folder}/s;
    uwsgi_temp_path {folder}/u;
    include {folder}/site.conf;
}}
"""


@contextmanager
def proxy(folder: Path, port: int, upstream: int, path: str, *changes: tuple[str, str]) -> Iterator[None]:
    """Run nginx with the documented configuration; changes: more texts in it, each with what replaces it."""
    main = configured(folder, port, upstream, path, *changes)
    with (
        (folder / "nginx.log").open("wb") as log,
        subprocess.Popen([NGINX, "-p", str(folder), "-c", str(main), "-e", "stderr"], stderr=log) as nginx,
    ):
        try:
            wait_until(lambda: listens(port) or nginx.poll() is not None, "nginx to listen")
            assert nginx.poll() is None, (folder / "nginx.log").read_text()
            yield
        finally:
            nginx.terminate()


@contextmanager
def free_port() -> Iterator[int]:
    with held_port() as held:
        yield held.getsockname()[1]


def configured(folder: Path, port: int, upstream: int, path: str, *changes: tuple[str, str]) -> Path:
    """Write the documented configuration with our ports, names and path; returns nginx's main file."""
    certificate = certified()
    text = (DEPLOY / "nginx.conf").read_text()
    for ours, theirs in (
        ("${CAPSCOPE_UPSTREAM}", f"127.0.0.1:{upstream}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("${CAPSCOPE_DOMAIN}", "127.0.0.1"),
        ("/etc/nginx/tls/", f"{certificate}/"),
        ("/var/log/nginx/access.log", str(folder / "access.log")),
        ("location /", f"location {path}/"),
        *changes,
    ):
        assert ours in text, f"the configuration does not say {ours!r} any more"
        text = text.replace(ours, theirs)
    (folder / "site.conf").write_text(text)
    shutil.copy(DEPLOY / "capscope_proxy.conf", folder)
    main = folder / "nginx.conf"
    main.write_text(MAIN.format(folder=folder))
    return main


@cache
def certified() -> Path:
    """Make a certificate for 127.0.0.1: one for all sites of a process, as a browser takes them for one host."""
    folder = Path(tempfile.mkdtemp(prefix="capscope-certificate-"))
    atexit.register(shutil.rmtree, folder)
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes"]
    made = ["-x509", "-newkey", "rsa:2048", "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(["openssl", "req", *made, *names], check=True, capture_output=True)
    return folder


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
