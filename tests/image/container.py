"""Run a root as Docker runs an image: its own network, mounts and processes, user 1000, no capability.

The mounts and processes of a container end with it. The networks end with the process that made them, which has a
network namespace of its own: `python -m tests.image` sees to that.
"""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.browser.nginx import MAIN, NGINX
from tests.image.build import ALONE
from tests.image.recipe import ROOT, Container, Image

USER = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "--no-new-privs"]
NO_CAPABILITY = ["--bounding-set=-all", "--inh-caps=-all"]
PATIENCE_S = 240
GRACE_S = 10  # that `docker stop` gives
BRIDGE, NETWORK = "front", "/run/netns/capscope"


@dataclass
class Running:
    """A container that runs."""

    root: Path
    image: Image
    environ: dict[str, str]
    starter: "subprocess.Popen[bytes]"
    log: Path
    volumes: dict[str, Path]  # this machine's folder of each path

    @property
    def process(self) -> psutil.Process:
        """Its first process, as this machine numbers it."""
        (first,) = psutil.Process(self.starter.pid).children()
        return first

    @property
    def is_inside(self) -> bool:
        """Whether mounts and user are in place, so that the image's own command runs."""
        return any(one.name() == self.image.command[0] for one in psutil.Process(self.starter.pid).children())

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in it, as `docker exec` does."""
        entered = ["nsenter", f"--target={self.process.pid}", "--mount", "--pid", "--net", "--root"]
        call = [*entered, *USER, *NO_CAPABILITY, *_environ(self.environ), *_at(self.image.workdir), *command]
        return subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL)

    def said(self, *command: str) -> str:
        """Return what a command prints. Raises AssertionError where it fails."""
        ran = self.run(*command)
        assert ran.returncode == 0, f"{shlex.join(command)}: {ran.stdout}{ran.stderr}"
        return ran.stdout

    def wait_until_healthy(self) -> None:
        """Wait until the image's own health check passes."""
        end = time.monotonic() + PATIENCE_S
        while True:
            assert self.starter.poll() is None, f"ended:\n{self.log.read_text()}"
            if self.is_inside and self.run(*self.image.healthcheck).returncode == 0:
                return
            assert time.monotonic() < end, f"not healthy:\n{self.log.read_text()}"
            time.sleep(0.5)


@contextmanager
def started(root: Path, image: Image, how: Container, volumes: Path, address: str) -> Iterator[Running]:
    """Run the image at an address of the bridge; stop it as `docker stop` does, and take its network away."""
    environ = image.environ | how.environ
    lines = ["set -e", *_mounts(root, how, volumes)]
    user = [*USER, *NO_CAPABILITY]
    inside = ["chroot", str(root), *user, *_environ(environ), *_at(image.workdir), *image.command]
    lines.append(f"exec {shlex.join(['nsenter', f'--net={NETWORK}', *inside])}")
    log = volumes / "log"
    with network(address), log.open("ab") as written:
        command = [*ALONE, f"--mount-proc={root}/proc", "sh", "-c", "\n".join(lines)]
        starter = subprocess.Popen(command, stdout=written, stderr=written, stdin=subprocess.DEVNULL)
        running = Running(root, image, environ, starter, log, {to: volumes / name for name, to in how.volumes.items()})
        try:
            yield running
            first = running.process
            first.terminate()
            first.wait(timeout=GRACE_S)
            assert starter.wait(timeout=GRACE_S) in (0, 130, 143), log.read_text()
        finally:
            starter.kill()  # and with it, by --kill-child, what runs inside
            starter.wait()


def _mounts(root: Path, how: Container, volumes: Path) -> list[str]:
    """Return the commands that mount volumes and tmpfs, on a root that is read-only where that is asked for."""
    calls = [["--bind", root, root]]
    if how.read_only:
        calls.append(["-o", "remount,bind,ro", root])
    calls += [
        ["-t", "proc", "proc", f"{root}/proc"],
        ["-t", "tmpfs", "-o", "size=64m,mode=1777", "shm", f"{root}/dev/shm"],
    ]
    calls += [["-t", "tmpfs", "-o", "mode=1777", "tmpfs", f"{root}{path}"] for path in how.tmpfs]
    for name, path in how.volumes.items():
        volume = volumes / name
        if not volume.exists():  # Docker fills a new volume from the image, owner and mode included
            subprocess.run(["cp", "--archive", f"{root}{path}", volume], check=True)
        calls.append(["--bind", volume, f"{root}{path}"])
    return [shlex.join(["mount", *map(str, call)]) for call in calls]


def _environ(environ: dict[str, str]) -> list[str]:
    return ["env", "-i", *(f"{name}={value}" for name, value in environ.items())]


def _at(folder: str) -> list[str]:
    return ["sh", "-c", f'cd {folder} && exec "$@"', "sh"]


def make_bridge(*addresses: str) -> None:
    """Make the bridge of the containers in this process' own network namespace; it answers at these addresses."""
    _ip("link set lo up", f"link add {BRIDGE} type bridge", f"link set {BRIDGE} up")
    _ip(*(f"addr add {address}/24 dev {BRIDGE}" for address in addresses))


@contextmanager
def network(address: str) -> Iterator[None]:
    """Make a network namespace with one address on the bridge, and take it away."""
    _ip("netns add capscope", "link add outside type veth peer name eth0 netns capscope")
    try:
        _ip(f"link set outside master {BRIDGE} up", "-n capscope link set lo up", "-n capscope link set eth0 up")
        _ip(f"-n capscope addr add {address}/24 dev eth0")
        yield
    finally:
        _ip("link del outside", "netns del capscope")


def _ip(*calls: str) -> None:
    for call in calls:
        subprocess.run(["ip", *call.split()], check=True)


@contextmanager
def nginx(service: dict[str, object], tls: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run this machine's nginx with the files and variables that compose gives to nginx's image.

    /etc/nginx, /var/log/nginx and /etc/hosts are this process' own.
    """
    etc = Path("/etc/nginx")
    environ, volumes = service["environment"], service["volumes"]
    assert isinstance(environ, dict) and isinstance(volumes, list)
    for folder in (etc, Path("/var/log/nginx")):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    for source, to, _ in (volume.split(":") for volume in volumes):
        Path(to).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-r", tls if source == "./tls" else ROOT / source, to], check=True)
    (etc / "conf.d").mkdir()
    named = " ".join(f"${{{name}}}" for name in environ)
    for template in (etc / "templates").glob("*.template"):  # as the entry point of nginx's image does
        text = subprocess.run(
            ["envsubst", named], input=template.read_bytes(), env=environ, capture_output=True, check=True
        )
        (etc / "conf.d" / template.stem).write_bytes(text.stdout)
    main = MAIN.format(folder="/etc/nginx").replace("/etc/nginx/site.conf", "/etc/nginx/conf.d/*.conf")
    (etc / "nginx.conf").write_text(main)
    subprocess.run([NGINX, "-t", "-q", "-e", "stderr"], check=True)
    with subprocess.Popen([NGINX, "-e", "stderr"], stderr=sys.stderr) as running:
        try:
            yield running
        finally:
            running.terminate()


def known_as(**addresses: str) -> None:
    """Let this process find names at addresses; elsewhere nothing changes."""
    hosts = Path("/run/hosts")
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{ip} {name}\n" for name, ip in addresses.items()))
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)


def link_in(text: str) -> str:
    """Return the address in what a command printed."""
    found = re.search(r"https?://\S+", text)
    assert found is not None, text
    return found[0]
