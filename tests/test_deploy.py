"""What Docker is told to do can be done: its files, commands and settings are there. Docker does not run here."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_docs import EVERY_COMMAND
from ui.settings import VARIABLES, Settings

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
STEPS = [line.partition(" ")[::2] for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
WITH_POSTGRESQL: dict[str, Any] = yaml.safe_load((ROOT / "compose.postgresql.yaml").read_text())


def arguments(step: str) -> list[str]:
    return [text for name, text in STEPS if name == step]


def test_everything_that_is_copied_is_there_and_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = {name for step in arguments("COPY") for name in shlex.split(step)[:-1]}
    for name in copied:
        assert (ROOT / name).exists()
        assert any(Path(name.removeprefix("./")).match(line[1:]) for line in ignored if line.startswith("!")), name
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert {f"./{room}" for room in rooms} <= {f"./{name}" for name in copied}


def test_it_runs_as_nobody_special_and_keeps_its_data_where_a_volume_is() -> None:
    last_user = max(number for number, (name, _) in enumerate(STEPS) if name == "USER")
    assert STEPS[last_user][1] == "1000" and [name for name, _ in STEPS[last_user:] if name in ("RUN", "COPY")] == []
    assert arguments("VOLUME") == ["/data"] and "CAPSCOPE_DATA=/data" in arguments("ENV")[-1]


def test_the_settings_are_ones_that_there_are_and_let_it_start() -> None:
    given = dict(pair.split("=") for pair in arguments("ENV")[-1].split())
    service = COMPOSE["services"]["capscope"]["environment"] | {"CAPSCOPE_PUBLIC_URL": "https://lab.example"}
    assert set(given) | set(service) <= set(VARIABLES.values())
    settings = Settings.from_env(given | service)
    assert settings.demands_sign_in and settings.trusted_proxies


def test_the_health_check_is_python_that_asks_the_health_route(monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = arguments("HEALTHCHECK")
    command = yaml.safe_load(check[check.index("CMD") + 4 :])
    asked: list[str] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: asked.append(url))
    assert command[:2] == ["python", "-c"]
    exec(command[2], {})
    assert asked == ["http://127.0.0.1:7860/healthz"]


def test_postgresql_is_there_before_capscope_and_both_read_one_password(tmp_path: Path) -> None:
    services = WITH_POSTGRESQL["services"]
    given, database = services["capscope"]["environment"], services["postgresql"]
    assert set(given) <= set(VARIABLES.values())
    (secret,) = {name for service in services.values() for name in service["secrets"]}
    read_from = {given["CAPSCOPE_DATABASE_PASSWORD_FILE"], database["environment"]["POSTGRES_PASSWORD_FILE"]}
    assert read_from == {f"/run/secrets/{secret}"} and set(WITH_POSTGRESQL["secrets"]) == {secret}
    (tmp_path / "password").write_text("s3cret\n")
    settings = Settings.from_env(given | {"CAPSCOPE_DATABASE_PASSWORD_FILE": str(tmp_path / "password")})
    user, name = (database["environment"][f"POSTGRES_{part}"] for part in ("USER", "DB"))
    assert settings.database == f"postgresql+psycopg://{user}:s3cret@postgresql/{name}"
    assert services["capscope"]["depends_on"]["postgresql"] == {"condition": "service_healthy"}
    assert database["healthcheck"]["test"] == ["CMD", "pg_isready", f"--username={user}", f"--dbname={name}"]
    assert "--locale=C.UTF-8" in database["environment"]["POSTGRES_INITDB_ARGS"] and "ports" not in database
    (volume,) = database["volumes"]
    assert volume.split(":")[0] in WITH_POSTGRESQL["volumes"]


def test_every_file_that_compose_mounts_is_there_but_the_certificates() -> None:
    mounted = [volume.split(":")[0] for volume in COMPOSE["services"]["proxy"]["volumes"]]
    assert {path for path in mounted if not (ROOT / path).exists()} == {
        "./tls/lab.example.pem",
        "./tls/lab.example.key",
    }
    assert COMPOSE["services"]["capscope"]["volumes"] == ["data:/data"] and "data" in COMPOSE["volumes"]


def test_the_page_on_deploying_names_commands_that_there_are() -> None:
    shown = re.findall(r"python app\.py ([a-z-]+(?: [a-z]+\b)?)", (ROOT / "docs" / "deploy.md").read_text())
    assert shown and all(any(one == command or one.split()[0] == command for command in EVERY_COMMAND) for one in shown)
