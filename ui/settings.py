"""Settings, read once at the edge from a mapping such as os.environ."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadSetting

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set from outside. VARIABLES names the environment variable of each field."""

    data_dir: Path = Path("capscope-data")  # holds the database, thumbnails and the secret of the cookies
    host: str = "127.0.0.1"
    port: int = 7860
    warm: bool = True  # load what judges annotated regions as soon as the server runs; without, when somebody looks

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> "Settings":
        """Read the settings. Raises BadSetting, naming the variable."""
        given = {field: environ[name] for field, name in VARIABLES.items() if environ.get(name)}
        settings = cls(
            data_dir=Path(given.get("data_dir", cls().data_dir)),
            host=given.get("host", cls().host),
            port=_port(given.get("port", str(cls().port)), VARIABLES["port"]),
            warm=_yes(given.get("warm", "1"), VARIABLES["warm"]),
        )
        return settings

    def with_options(
        self, data_dir: Path | None = None, host: str | None = None, port: int | None = None
    ) -> "Settings":
        """Return these settings with what the command line says instead."""
        return Settings(
            data_dir=self.data_dir if data_dir is None else data_dir,
            host=self.host if host is None else host,
            port=self.port if port is None else port,
            warm=self.warm,
        )


VARIABLES = {"data_dir": "CAPSCOPE_DATA", "host": "CAPSCOPE_HOST", "port": "CAPSCOPE_PORT", "warm": "CAPSCOPE_WARM"}


def check_host(host: str) -> str:
    """Return a host that only this machine can reach. Raises BadSetting for another one."""
    if host not in LOOPBACK_HOSTS:
        raise BadSetting(
            f"Capscope serves this machine only ({', '.join(LOOPBACK_HOSTS)}), found {host}: without sign-in, "
            "anyone who can reach it could rate under any code and read every study."
        )
    return host


def _port(text: str, variable: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65_536:
        raise BadSetting(f"{variable} must be a port from 1 to 65535, found {text!r}.")
    return int(text)


def _yes(text: str, variable: str) -> bool:
    if text not in ("0", "1"):
        raise BadSetting(f"{variable} must be 1 or 0, found {text!r}.")
    return text == "1"
