"""Read the settings at the start, from a mapping such as os.environ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from platformdirs import user_data_path

from core.errors import BadSetting
from core.installation import IS_INSTALLED
from core.models import TIMEOUT_S, Endpoint, sound_key
from core.network import LOOPBACK_HOSTS, Downloads
from ui.setting_values import (
    PublicUrl,
    count,
    database_url,
    endpoint_url,
    mirror_url,
    networks,
    port_number,
    public_address,
    yes_or_no,
)

NEW_RATERS = 60  # default of the maximum number of new raters per link and client address in an hour
HERE = Path("capscope-data")  # data folder of a clone
_EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings from environment variables. VARIABLES names the variable of each field."""

    data_dir: Path = HERE  # folder with the database, thumbnails and the secret key for cookies
    host: str = "127.0.0.1"
    port: int = 7860
    warm: bool = True  # True: load the models for annotated regions at the start; False: at first use
    public_url: PublicUrl | None = None  # public address of a server behind a proxy
    # Addresses of proxies that are trusted to state a client's address in headers.
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    new_raters: int = NEW_RATERS  # maximum number of new raters of a study link per client address in an hour
    plugin: tuple[str, ...] = ()  # the user's own metrics, each as module:Class
    endpoint: str | None = None  # API address of a model server, used instead of models on this computer
    endpoint_model: str | None = None  # the model's name on that server
    endpoint_key: str | None = field(default=None, repr=False)
    user_header: str | None = None  # header in which a trusted proxy names the account that it has signed in
    # Address of a PostgreSQL database, which replaces the folder's database file; None: the file is used.
    database: str | None = field(default=None, repr=False)
    database_password_file: Path | None = None  # file with the database's password
    mirror: str | None = None  # address of a mirror of GitHub's raw files, for published data
    download_timeout: int = 30  # seconds without data before a download of published data stops

    @property
    def demands_sign_in(self) -> bool:
        """Return whether users must sign in.

        They must if a person at another machine may reach the server.
        """
        return self.host not in LOOPBACK_HOSTS or self.public_url is not None

    @property
    def downloads(self) -> Downloads:
        """Return the settings for fetching published data."""
        return Downloads(self.mirror, self.download_timeout)

    def model_server(
        self, url: str | None = None, model: str | None = None, parallel: int = 8, timeout_s: float = TIMEOUT_S
    ) -> Endpoint | None:
        """Return the model server, or None if no address is set.

        url, model: values that replace the settings; None: the settings apply. parallel: maximum number of requests at
        a time. timeout_s: seconds to wait for one answer. Raises BadSetting.
        """
        address = self.endpoint if url is None else endpoint_url(url, "--endpoint")
        if address is None:
            if model is not None:
                raise BadSetting("A model on a server also needs --endpoint URL.")
            return None
        return Endpoint(address, model or self.endpoint_model, self.endpoint_key, parallel, timeout_s)

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> "Settings":
        """Read the settings. Raises BadSetting, whose message names the variable."""
        given = {field: read(environ[name], name) for field, (name, read) in _READERS.items() if environ.get(name)}
        return cls(**{"data_dir": default_data_folder()} | given | _with_password(given))

    def with_options(
        self,
        data_dir: Path | None = None,
        host: str | None = None,
        port: int | None = None,
        plugin: Sequence[str] | None = None,
    ) -> "Settings":
        """Return these settings, changed by the options of the command line.

        An option replaces the setting of the same name. `plugin` is an exception: its metrics are added to the metrics
        in the settings. They are metrics that users wrote themselves.
        """
        return replace(
            self,
            data_dir=self.data_dir if data_dir is None else data_dir,
            host=self.host if host is None else host,
            port=self.port if port is None else port,
            plugin=(*self.plugin, *(plugin or ())),
        )


def default_data_folder(is_installed: bool = IS_INSTALLED) -> Path:
    """Return `./capscope-data` for a clone, or the platform's user folder for the installed command."""
    return user_data_path("capscope", appauthor=False) if is_installed else HERE


def _as_it_is(text: str, _variable: str) -> str:
    return text


def _path(text: str, _variable: str) -> Path:
    return Path(text)


def _metrics(text: str, _variable: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


# Key: field of Settings. Value: its variable, and what reads the variable's text.
_READERS: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    "data_dir": ("CAPSCOPE_DATA", _path),
    "host": ("CAPSCOPE_HOST", _as_it_is),
    "port": ("CAPSCOPE_PORT", port_number),
    "warm": ("CAPSCOPE_WARM", yes_or_no),
    "public_url": ("CAPSCOPE_PUBLIC_URL", public_address),
    "plugin": ("CAPSCOPE_PLUGIN", _metrics),
    "trusted_proxies": ("CAPSCOPE_TRUSTED_PROXIES", networks),
    "new_raters": ("CAPSCOPE_NEW_RATERS", count),
    "user_header": ("CAPSCOPE_USER_HEADER", _as_it_is),
    "database": ("CAPSCOPE_DATABASE", database_url),
    "database_password_file": ("CAPSCOPE_DATABASE_PASSWORD_FILE", _path),
    "endpoint": ("CAPSCOPE_ENDPOINT", endpoint_url),
    "endpoint_model": ("CAPSCOPE_ENDPOINT_MODEL", _as_it_is),
    "endpoint_key": ("CAPSCOPE_ENDPOINT_KEY", sound_key),
    "mirror": ("CAPSCOPE_MIRROR", mirror_url),
    "download_timeout": ("CAPSCOPE_DOWNLOAD_TIMEOUT", count),
}
VARIABLES = {field: name for field, (name, _) in _READERS.items()}


def check_reach(settings: Settings) -> None:
    """Raise BadSetting if addresses of the server or its clients are unknown.

    If the server's own address is unknown, another site could reach the server under a different name. Behind a proxy
    that is not trusted, all clients seem to have the same address.
    """
    if settings.host in _EVERYWHERE and settings.public_url is None:
        raise BadSetting(
            f"Capscope is to listen on {settings.host or 'every address'}, so it needs its public address. Set "
            "CAPSCOPE_PUBLIC_URL=https://example.org"
        )
    if settings.user_header is not None and not settings.trusted_proxies:
        raise BadSetting(
            "CAPSCOPE_USER_HEADER names accounts, so only your proxy may send it. Set the proxy's address, for example "
            "CAPSCOPE_TRUSTED_PROXIES=127.0.0.1."
        )
    url = settings.public_url
    is_behind = url is not None and (url.is_https or (settings.host in LOOPBACK_HOSTS and not url.is_loopback))
    if is_behind and not settings.trusted_proxies:
        raise BadSetting(
            f"Requests to {url} come through a proxy, but the proxy's address is not set. Set it, for example "
            "CAPSCOPE_TRUSTED_PROXIES=127.0.0.1. Otherwise all users appear to have one address, and one user could "
            "lock out everybody."
        )


def _with_password(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the address of a PostgreSQL database with the password of the password file, if there are both."""
    if "database" not in given or "database_password_file" not in given:
        return {"database_password_file": None}
    address, file = given["database"], given["database_password_file"]
    parts = urlsplit(address)
    if not parts.username or parts.password is not None:
        raise BadSetting(
            f"The password is read from a file, so {VARIABLES['database']} must contain a user but no password."
        )
    try:
        password = quote(file.read_text("utf-8").rstrip("\r\n"), safe="")
    except (OSError, ValueError) as error:
        raise BadSetting(f"{VARIABLES['database_password_file']}: the file {file} cannot be read ({error}).") from error
    return {"database": address.replace("@", f":{password}@", 1)}
