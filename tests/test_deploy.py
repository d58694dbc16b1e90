"""What Docker is told to do can be done: Dockerfile, compose files, nginx and docs agree. Docker does not run here."""

import re
import shlex
import subprocess
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.models.weights.availability import OTHER_FOLDERS, WEIGHTS_FOLDER
from tests.browser.nginx import NGINX as NGINX_PROGRAM
from tests.browser.nginx import configured, free_port
from tests.image.recipe import BASE, DEPLOY, DOMAIN, ROOT, Container, compose, composed, docker_run, image, steps
from tests.test_docs import EVERY_COMMAND
from tests.test_requirements import pins
from ui.settings import VARIABLES, Settings, check_reach
from ui.web.routes.answer_files import LARGEST_BODY

IMAGE = image()
COMPOSE = compose({"CAPSCOPE_DOMAIN": DOMAIN})
CAPSCOPE, PROXY = COMPOSE["services"]["capscope"], COMPOSE["services"]["proxy"]
WITH_POSTGRESQL: dict[str, Any] = yaml.safe_load((ROOT / "compose.postgresql.yaml").read_text())
NGINX = (ROOT / "docs" / "deploy" / "nginx.conf").read_text()
OURS, PROXYS = (service["networks"]["front"]["ipv4_address"] for service in (CAPSCOPE, PROXY))


@pytest.fixture(params=["compose", "docker run"])
def started(request: pytest.FixtureRequest) -> Container:
    """Each documented way in which a container of the image is started."""
    return composed(CAPSCOPE) if request.param == "compose" else docker_run()[0]


def arguments(step: str) -> list[str]:
    return [one.text for one in steps() if one.name == step]


def test_everything_that_is_copied_is_there_and_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = {name for step in arguments("COPY") for name in shlex.split(step)[:-1]}
    for name in copied:
        assert (ROOT / name).exists()
        assert any(Path(name.removeprefix("./")).match(line[1:]) for line in ignored if line.startswith("!")), name
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert {f"./{room}" for room in rooms} <= {f"./{name}" for name in copied}
    read = set(re.findall(r"(?<![\w-])requirements[\w-]*\.(?:txt|lock)", " ".join(arguments("RUN") + arguments("ARG"))))
    assert read <= copied


def test_it_runs_as_nobody_special_who_may_read_every_file_and_owns_the_volumes() -> None:
    last_user = max(number for number, step in enumerate(steps()) if step.name == "USER")
    assert IMAGE.user == "1000" and {step.name for step in steps()[last_user:]}.isdisjoint({"RUN", "COPY"})
    assert "chmod --recursive u=rwX,go=rX ." in [step for step in steps() if step.name == "RUN"][-1].text
    (made,) = re.findall(r"install --directory --owner=1000 --group=1000 --mode=700 ([^&]*)", arguments("RUN")[0])
    assert made.split() == IMAGE.volumes == ["/data", "/weights"] and IMAGE.environ["CAPSCOPE_DATA"] == "/data"


def test_weights_are_kept_in_their_volume() -> None:
    cache = Path("~/.cache")
    assert all(folder.is_relative_to(cache) for folder in (WEIGHTS_FOLDER, *OTHER_FOLDERS.values()))
    assert f"ln --symbolic /weights {IMAGE.environ['HOME']}/.cache" in arguments("RUN")[0]
    assert "HF_HOME" not in IMAGE.environ


def test_each_volume_is_named_and_only_what_may_be_lost_is_in_memory(started: Container) -> None:
    assert sorted(started.volumes.values()) == IMAGE.volumes
    assert not any(name.startswith((".", "/")) for name in started.volumes)
    assert started.read_only and started.tmpfs == ["/tmp"]
    assert COMPOSE["volumes"].keys() == {volume.split(":")[0] for volume in CAPSCOPE["volumes"]}


def test_the_settings_are_ones_that_there_are_and_let_it_start(started: Container) -> None:
    given = {name: value for name, value in IMAGE.environ.items() if name.startswith("CAPSCOPE_")} | started.environ
    assert set(given) <= set(VARIABLES.values())
    settings = Settings.from_env(given)
    check_reach(settings)
    assert settings.demands_sign_in and settings.host == "0.0.0.0"


def test_one_port_is_listened_on_published_asked_and_passed_on() -> None:
    _, publish = docker_run()
    address, ours, inside = publish.split(":")
    assert address == "127.0.0.1", "without https only this machine may come in"
    assert IMAGE.environ["CAPSCOPE_PUBLIC_URL"] == f"http://localhost:{ours}"
    port = IMAGE.environ["CAPSCOPE_PORT"]
    assert IMAGE.ports == [port] == [inside] and f"127.0.0.1:{port}/healthz" in IMAGE.healthcheck[2]
    assert PROXY["environment"]["CAPSCOPE_UPSTREAM"] == f"{OURS}:{port}" and "ports" not in CAPSCOPE


def test_nginx_and_capscope_have_networks_of_their_own_and_find_each_other_after_a_restart() -> None:
    """A container that shares another's network loses it with the other's restart."""
    assert not any("network_mode" in service for service in (CAPSCOPE, PROXY, *WITH_POSTGRESQL["services"].values()))
    (network,) = COMPOSE["networks"]["front"]["ipam"]["config"]
    for address in (OURS, PROXYS):
        assert ip_address(address) in ip_network(network["subnet"])
        assert ip_address(address) not in ip_network(network["ip_range"]), "somebody else may be given it"
    assert CAPSCOPE["environment"]["CAPSCOPE_TRUSTED_PROXIES"] == PROXYS != OURS
    elsewhere = compose({"CAPSCOPE_DOMAIN": DOMAIN, "CAPSCOPE_NETWORK": "10.20.30"})
    assert "172.30.77" not in str(elsewhere) and "10.20.30.3" in str(elsewhere)


def test_the_name_of_a_host_is_given_once() -> None:
    with pytest.raises(KeyError, match="CAPSCOPE_DOMAIN: the name at which people reach it"):
        compose({})
    assert CAPSCOPE["environment"]["CAPSCOPE_PUBLIC_URL"] == f"https://{DOMAIN}"
    text = "".join((ROOT / name).read_text() for name in ("compose.yaml", "docs/how-to/deploy.md")) + NGINX
    assert "lab.example" not in text
    assert re.findall(r"^.*rate\.example\.org.*$", NGINX, re.MULTILINE) == []
    assert set(re.findall(rf"\S*{re.escape(DOMAIN)}", text)) == {f"CAPSCOPE_DOMAIN={DOMAIN}", DOMAIN}
    assert len(re.findall(rf"(?<!=){re.escape(DOMAIN)}", text)) == 1, "only compose's message names it for itself"


def test_the_docs_and_compose_give_nginx_the_variables_of_its_template() -> None:
    named = set(re.findall(r"\$\{([A-Z_]+)\}", NGINX))
    assert named == {"CAPSCOPE_DOMAIN", "CAPSCOPE_UPSTREAM"} == PROXY["environment"].keys()
    (shown,) = re.findall(r"^envsubst '([^']*)'", DEPLOY.read_text(), re.MULTILINE)
    assert {name.removeprefix("$") for name in shown.split()} == named
    port = Settings().port
    assert f"CAPSCOPE_UPSTREAM=127.0.0.1:{port}\n" in DEPLOY.read_text()


def test_every_file_that_nginx_reads_is_mounted_and_there_but_the_certificate() -> None:
    mounted = dict(volume.split(":")[:2] for volume in PROXY["volumes"])
    assert [path for path in mounted if not (ROOT / path).exists() and path != "./tls"] == []
    for path in re.findall(r"ssl_certificate(?:_key)? (\S+);", NGINX):
        assert Path(path).parent == Path(mounted["./tls"]) and f"`{path}`" in DEPLOY.read_text()
    included = {f"/etc/nginx/{name}" for name in re.findall(r"include (\S+);", NGINX)}
    assert included <= set(mounted.values())


def test_nginx_lets_through_the_files_of_answers_that_capscope_takes() -> None:
    (found,) = re.findall(r"location ~ (\S*answers\S*) \{[^}]*client_max_body_size (\d+)m;", NGINX)
    assert all(
        re.search(found[0], f"/api/studies/{study}/answers{end}") for study in (1, 234) for end in ("", "/preview")
    )
    assert int(found[1]) * 2**20 >= LARGEST_BODY


@pytest.mark.skipif(not Path(NGINX_PROGRAM).exists(), reason="needs nginx")
def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    with free_port() as port:  # nginx binds it even to check; below 1024 only root may
        main = configured(tmp_path, port, 7860, "")
    asked = [NGINX_PROGRAM, "-t", "-q", "-e", "stderr", "-p", str(tmp_path), "-c", str(main)]
    ran = subprocess.run(asked, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


def test_the_health_check_is_python_that_asks_the_health_route(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: asked.append(url))
    assert IMAGE.healthcheck[:2] == ["python", "-c"]
    exec(IMAGE.healthcheck[2], {})
    assert asked == ["http://127.0.0.1:7860/healthz"]


def test_the_image_has_the_python_of_the_lock() -> None:
    base = BASE.fullmatch(steps()[0].text)
    assert base is not None
    assert f"--python-version {base['python']} " in (ROOT / "Makefile").read_text()
    assert f"Python {base['python']} or newer" in (ROOT / "README.md").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["mypy"]["python_version"] == base["python"]


def test_each_package_of_the_image_is_checked_by_its_hash() -> None:
    installs = re.findall(r"pip install [^;&]*", " ".join(arguments("RUN")))
    assert installs and all("--require-hashes --no-deps -r requirements-" in call for call in installs)
    assert 'python install.py "$REQUIREMENTS"' in " ".join(arguments("RUN"))


def test_the_image_takes_opencv_without_windows() -> None:
    headless = (ROOT / "requirements-headless.txt").read_text()
    assert f"\nopencv-python-headless=={pins()['opencv-python']} \\\n" in headless
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", headless)) == 2, "x86_64 and aarch64"
    (run,) = [text for text in arguments("RUN") if "install.py" in text]
    taken_out, put_in = "pip uninstall --yes opencv-python ", "-r requirements-headless.txt"
    assert 0 < run.index("python install.py") < run.index(taken_out) < run.index(put_in), "they share the folder cv2"


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


def test_only_capscope_reaches_postgresql() -> None:
    services = WITH_POSTGRESQL["services"]
    assert services["postgresql"]["networks"] == list(services["capscope"]["networks"]) == ["database"]
    assert WITH_POSTGRESQL["networks"]["database"] == {"internal": True}
    assert "database" not in PROXY["networks"] and "front" in CAPSCOPE["networks"]


def test_the_page_on_deploying_names_commands_that_there_are() -> None:
    shown = re.findall(r"python app\.py ([a-z-]+(?: [a-z]+\b)?)", DEPLOY.read_text())
    assert shown and all(any(one == command or one.split()[0] == command for command in EVERY_COMMAND) for one in shown)
