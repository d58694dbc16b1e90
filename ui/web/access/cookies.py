"""Name, read and write the cookies."""

from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from storage.accounts.sessions import hashed

Kind = Literal["account", "rater"]
SECONDS: dict[Kind, int] = {"account": 30 * 86_400, "rater": 365 * 86_400}
LINK_HEADER = "x-capscope-link"  # header in which a page behind a study link sends the link's secret
_LINK_DIGITS = 12  # number of hexadecimal digits of a link's hash in the name of the link's cookie


@dataclass(frozen=True, slots=True)
class Cookies:
    """Reads and writes the cookies of sessions. Scripts cannot read these cookies.

    The server, not the cookie, decides how long a session lasts. SameSite is Lax, not Strict, because a browser that
    opens a link from an e-mail must send its session. A request that changes data needs a header or an origin that
    other sites cannot send (ui/web/access/other_sites.py).
    """

    name: str  # cookie's name; differs between data folders, because browsers share cookies between a host's ports
    is_https: bool = False

    def key(self, kind: Kind, link: str | None = None) -> str:
        """Return a cookie's name. link: the secret of a rater's link. Each link has its own session."""
        prefix = "__Host-" if self.is_https else ""  # with this prefix, browsers accept the cookie only from this host
        return f"{prefix}{self.name}_{kind}" + (f"_{hashed(link)[:_LINK_DIGITS]}" if link else "")

    def get(self, request: Request, kind: Kind, link: str | None = None) -> str | None:
        """Return the value of a cookie in a request."""
        return request.cookies.get(self.key(kind, link))

    def raters(self, request: Request) -> list[str]:
        """Return the secrets of all rater sessions in a request.

        All are needed, because a request for a picture does not name the rater's study link.
        """
        key = self.key("rater")
        return [value for name, value in request.cookies.items() if name == key or name.startswith(f"{key}_")]

    def set(self, response: Response, kind: Kind, value: str, link: str | None = None) -> None:
        """Set a cookie in a browser."""
        response.set_cookie(
            self.key(kind, link),
            value,
            max_age=SECONDS[kind],
            httponly=True,
            samesite="lax",
            secure=self.is_https,
            path="/",
        )

    def delete(self, response: Response, kind: Kind, link: str | None = None) -> None:
        """Delete a cookie, and the browser's stored pictures and answers. The browser's next user must not see them."""
        response.delete_cookie(self.key(kind, link), httponly=True, samesite="lax", secure=self.is_https, path="/")
        response.headers["clear-site-data"] = '"cache"'
