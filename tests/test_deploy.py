"""Dockerfile, compose files and nginx agree with the code and with each other. Docker does not run here."""

import re
import shlex
from pathlib import Path
from typing import Any

import uvicorn
import yaml

from ui.settings import VARIABLES, Settings, check_reach

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
NGINX = (ROOT / "docs" / "deploy" / "nginx.conf").read_text()


def composed(name: str) -> dict[str, Any]:
    """Return a compose file with its variables filled in."""
    text = (ROOT / name).read_text().replace("${CAPSCOPE_NETWORK:-172.30.77}", "172.30.77")
    read: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{CAPSCOPE_DOMAIN[^}]*\}", "rate.example.org", text))
    return read


def image_environment() -> dict[str, str]:
    words = shlex.split(" ".join(re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)))
    return dict(word.split("=", 1) for word in words)


def test_each_file_that_the_image_copies_is_there_and_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = {name for line in re.findall(r"^COPY (.*)$", DOCKERFILE, re.MULTILINE) for name in shlex.split(line)[:-1]}
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"} <= copied
    for name in copied:
        assert (ROOT / name).exists() and f"!{name}" in ignored


def test_the_container_starts_with_settings_that_demand_an_account_and_trusts_only_nginx() -> None:
    services = composed("compose.yaml")["services"]
    ours, proxy = services["capscope"], services["proxy"]
    given = {k: v for k, v in (image_environment() | ours["environment"]).items() if k.startswith("CAPSCOPE_")}
    assert set(given) <= set(VARIABLES.values())
    settings = Settings.from_env(given)
    check_reach(settings)
    assert settings.demands_sign_in and settings.host == "0.0.0.0"
    assert given["CAPSCOPE_TRUSTED_PROXIES"] == proxy["networks"]["front"]["ipv4_address"]
    assert proxy["environment"]["CAPSCOPE_UPSTREAM"] == f"{ours['networks']['front']['ipv4_address']}:7860"
    assert ours["read_only"] and "ports" not in ours
    assert [volume.split(":")[1] for volume in ours["volumes"]] == ["/data", "/weights"]


def test_postgresql_is_reached_by_capscope_alone_with_one_password() -> None:
    services = composed("compose.postgresql.yaml")["services"]
    given, database = services["capscope"]["environment"], services["postgresql"]
    assert set(given) <= set(VARIABLES.values()) and "ports" not in database
    secret = database["environment"]["POSTGRES_PASSWORD_FILE"]
    assert given["CAPSCOPE_DATABASE_PASSWORD_FILE"] == secret == f"/run/secrets/{database['secrets'][0]}"
    assert services["capscope"]["depends_on"]["postgresql"] == {"condition": "service_healthy"}


def test_every_file_that_nginx_reads_is_mounted_and_its_variables_are_given() -> None:
    proxy = composed("compose.yaml")["services"]["proxy"]
    mounted = dict(volume.split(":")[:2] for volume in proxy["volumes"])
    assert [path for path in mounted if not (ROOT / path).exists() and path != "./tls"] == []
    assert {f"/etc/nginx/{name}" for name in re.findall(r"include (\S+);", NGINX)} <= set(mounted.values())
    assert set(re.findall(r"\$\{([A-Z_]+)\}", NGINX)) == proxy["environment"].keys()


def test_nginx_ends_idle_connections_long_before_capscope_does() -> None:
    """nginx answers 502 to a POST that meets the end of its connection."""
    kept_s = re.search(r"keepalive 16;\n +keepalive_timeout (\d+)s;", NGINX)
    assert kept_s and int(kept_s[1]) + 2 < uvicorn.Config("app").timeout_keep_alive
