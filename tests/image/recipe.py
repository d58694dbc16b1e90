"""Read Dockerfile, compose files and docs/how-to/deploy.md, for tests and to run the image without Docker."""

import argparse
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "how-to" / "deploy.md"
DOMAIN = "rate.example.org"
BASE = re.compile(r"python:(?P<python>\d+\.\d+)-slim-(?P<release>[a-z]+)")
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


@dataclass(frozen=True)
class Step:
    """A step of a Dockerfile: its instruction and the rest of its line."""

    name: str
    text: str


@dataclass
class Image:
    """What the steps without RUN and COPY say about an image."""

    environ: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "0"
    volumes: list[str] = field(default_factory=list)
    ports: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Container:
    """How a container of the image is started."""

    environ: dict[str, str]
    volumes: dict[str, str]  # the path in the container of each named volume
    tmpfs: list[str]
    read_only: bool


def steps() -> list[Step]:
    """Return the steps of the Dockerfile, continued lines joined."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if line and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [Step(*line.partition(" ")[::2]) for line in joined.splitlines()]


def pairs(text: str) -> dict[str, str]:
    """Return the variables of an ENV or ARG step."""
    return {name: value for name, _, value in (word.partition("=") for word in shlex.split(text))}


def note(image: Image, step: Step) -> None:
    """Take into the image what a step says about it; RUN, COPY, ARG and FROM say nothing."""
    if step.name == "ENV":
        image.environ |= pairs(step.text)
    elif step.name in ("WORKDIR", "USER"):
        setattr(image, step.name.lower(), step.text)
    elif step.name == "VOLUME":
        image.volumes += step.text.split()
    elif step.name == "EXPOSE":
        image.ports += step.text.split()
    elif step.name == "HEALTHCHECK":
        image.healthcheck = yaml.safe_load(step.text[step.text.index("CMD") + 4 :])
    elif step.name == "CMD":
        image.command = yaml.safe_load(step.text)


def image() -> Image:
    """Return what the whole Dockerfile says."""
    found = Image()
    for step in steps():
        note(found, step)
    return found


def compose(environ: Mapping[str, str], name: str = "compose.yaml") -> dict[str, Any]:
    """Return a compose file with the variables of environ. Raises KeyError for a variable that it demands."""

    def value(found: re.Match[str]) -> str:
        variable, kind, text = found.groups()
        if kind == "?" and not environ.get(variable):
            raise KeyError(f"{variable}: {text}")
        return environ.get(variable) or (text if kind == "-" else "")

    content: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, (ROOT / name).read_text()))
    return content


def composed(service: Mapping[str, Any]) -> Container:
    """Return how compose starts a service of the image."""
    volumes = dict(volume.split(":") for volume in service["volumes"])
    return Container(service["environment"], volumes, service["tmpfs"], service["read_only"])


def docker_run() -> tuple[Container, str]:
    """Return how the one `docker run` of docs/how-to/deploy.md starts the image, and the port that it publishes."""
    (line,) = re.findall(r"^docker run (.*)$", DEPLOY.read_text().replace("\\\n", " "), re.MULTILINE)
    parser = argparse.ArgumentParser(exit_on_error=False)
    for option in ("--name", "--restart", "--publish"):
        parser.add_argument(option)
    for option in ("--volume", "--env", "--tmpfs"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("--detach", action="store_true")
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("image")
    given = parser.parse_args(shlex.split(line, comments=True))
    volumes = dict(volume.split(":") for volume in given.volume)
    environ = pairs(shlex.join(given.env))
    return Container(environ, volumes, given.tmpfs, given.read_only), given.publish
