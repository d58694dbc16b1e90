"""Build the image's root without Docker, and run it as compose.yaml and docs/how-to/deploy.md say: `make test-image`.

It needs root, mmdebstrap, nginx and the package registries. FOLDER keeps the roots, and takes up those that are there.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.browser.nginx import certified
from tests.image.build import ALONE, build, make_base
from tests.image.container import Running, known_as, make_bridge, nginx, started
from tests.image.recipe import DOMAIN, Container, compose, composed, docker_run, image
from tests.image.walk import first_visit, what_is_kept

VARIANTS = {"full": "requirements.txt", "rating": "requirements-rating.txt"}
INSIDE = "--inside"


def main() -> int:
    """Run the command line; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--variant", choices=VARIANTS, action="append")
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("only root may mount and make networks")
    variants = given.variant or list(VARIANTS)
    if given.inside:
        run_all(given.folder, variants)
        return 0
    with ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="capscope-image-")))
        differs = build_all(folder.resolve(), variants)
        # In namespaces of its own, so that mounts and networks end with it, however it ends.
        again = [sys.executable, "-m", "tests.image", INSIDE, str(folder.resolve())]
        again += [f"--variant={name}" for name in variants]
        code = subprocess.run([*ALONE, "--net", "--mount-proc", *again]).returncode
    print("Other than in Docker's image:\n- Python is Debian's", *dict.fromkeys(differs), sep="\n- ")
    return code


def build_all(folder: Path, variants: list[str]) -> list[str]:
    """Make the roots that the folder does not have; return what is other than in Docker's images."""
    differs, base = list[str](), folder / "base"
    for name in variants:
        root, unfinished, noted = folder / name, folder / f"{name}-unfinished", folder / f"{name}.txt"
        if root.exists():
            print(f"== {name}: taken from {root}", flush=True)
            differs += noted.read_text().splitlines()
            continue
        began = time.monotonic()
        if not base.exists():
            folder.mkdir(exist_ok=True, parents=True)
            make_base(base)
            print(f"== base: {time.monotonic() - began:.0f} s, {size(base)}", flush=True)
        shutil.rmtree(unfinished, ignore_errors=True)
        subprocess.run(["cp", "--archive", base, unfinished], check=True)
        found = build(unfinished, {"REQUIREMENTS": VARIANTS[name]})
        differs += found
        noted.write_text("\n".join(found))
        unfinished.rename(root)
        print(f"== {name}: built in {time.monotonic() - began:.0f} s, {size(root)}", flush=True)
    return differs


def size(folder: Path) -> str:
    """Return how much disk a folder takes."""
    asked = ["du", "--summarize", "--human-readable", folder]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()[0]


def run_all(folder: Path, variants: list[str]) -> None:
    """Run each variant behind nginx as compose.yaml says, then alone as docs/how-to/deploy.md's `docker run` says."""
    content = compose({"CAPSCOPE_DOMAIN": DOMAIN})
    behind, (alone, publish) = composed(content["services"]["capscope"]), docker_run()
    ours, proxys = (content["services"][name]["networks"]["front"]["ipv4_address"] for name in ("capscope", "proxy"))
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)  # where networks have their names
    known_as(**{DOMAIN: proxys, "localhost": ours})
    make_bridge(proxys)
    tls = certified()
    with nginx(content["services"]["proxy"], tls) as proxy:
        for name in variants:
            with httpx.Client(
                base_url=f"https://{DOMAIN}", verify=False, trust_env=False, headers={"X-Capscope": "1"}
            ) as client:
                walk(folder / name, name, behind, ours, client, is_behind=True)
            port = publish.rpartition(":")[2]
            with httpx.Client(
                base_url=f"http://localhost:{port}", trust_env=False, headers={"X-Capscope": "1"}
            ) as client:
                walk(folder / name, name, alone, ours, client, is_behind=False)
            assert proxy.poll() is None


def walk(root: Path, name: str, how: Container, address: str, client: httpx.Client, is_behind: bool) -> None:
    """Visit a container, restart it at the same address, and find everything again."""
    title = f"{name}, {'behind nginx' if is_behind else 'docker run'}"
    with tempfile.TemporaryDirectory(prefix="volumes-", dir=root.parent) as folder:
        volumes, told = Path(folder), image()
        told.environ = {"PATH": "/usr/local/bin:/usr/bin:/bin"} | told.environ
        began = time.monotonic()
        with started(root, told, how, volumes, address) as container:
            container.wait_until_healthy()
            print(f"== {title}: healthy after {time.monotonic() - began:.1f} s", flush=True)
            first_visit(container, client, is_full=name == "full")
            kept = what_is_kept(client)
        assert is_away(client, is_behind), "it answers without a container"
        began = time.monotonic()
        with started(root, told, how, volumes, address) as container:
            container.wait_until_healthy()
            assert what_is_kept(client) == kept
            print(f"== {title}: after a restart {time.monotonic() - began:.1f} s until all is there again", flush=True)
            print("   " + complaints(container))


def is_away(client: httpx.Client, is_behind: bool) -> bool:
    """Return whether nobody answers, or only nginx, that it is busy."""
    try:
        answer = client.get("/rate")
    except httpx.TransportError:
        return not is_behind
    return is_behind and answer.status_code in (502, 504) and "Retry-After" in answer.headers


def complaints(container: Running) -> str:
    """Return what the container wrote, one line each."""
    return "\n   ".join(dict.fromkeys(container.log.read_text().splitlines()))


if __name__ == "__main__":
    sys.exit(main())
