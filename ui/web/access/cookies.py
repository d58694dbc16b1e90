"""The cookies: how they are called, and who may read and send them."""

from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from storage.accounts.tokens import hashed

Kind = Literal["account", "device", "rater"]
SECONDS: dict[Kind, int] = {"account": 30 * 86_400, "device": 365 * 86_400, "rater": 365 * 86_400}
LINK_HEADER = "x-capscope-link"  # with what a page behind a study link asks: the link's secret
_LINK_DIGITS = 12  # hexadecimal digits of a link's hash that stand in its cookie's name


@dataclass(frozen=True, slots=True)
class Cookies:
    """Secrets of sessions, out of reach of scripts. How long a session lasts, the server says, not its cookie.

    Lax, not Strict: whoever comes by a link in a letter is known at once. What writes needs a header or an origin that
    no other site can send (ui/web/access/security.py).
    """

    name: str  # of this data folder: browsers share cookies between the ports of one host
    is_https: bool = False

    def key(self, kind: Kind, link: str | None = None) -> str:
        """Return a cookie's name. link: the secret by which a rater comes; each link has a session of its own."""
        prefix = "__Host-" if self.is_https else ""  # then no other host can have set it
        return f"{prefix}{self.name}_{kind}" + (f"_{hashed(link)[:_LINK_DIGITS]}" if link else "")

    def get(self, request: Request, kind: Kind, link: str | None = None) -> str | None:
        """Return what a browser sends."""
        return request.cookies.get(self.key(kind, link))

    def raters(self, request: Request) -> list[str]:
        """Return the secrets of every rater's session that a browser sends; pictures are asked for without a link."""
        key = self.key("rater")
        return [value for name, value in request.cookies.items() if name == key or name.startswith(f"{key}_")]

    def set(self, response: Response, kind: Kind, value: str, link: str | None = None) -> None:
        """Let a browser keep something."""
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
        """Let a browser forget something, with the pictures and answers it kept: they are not its next user's."""
        response.delete_cookie(self.key(kind, link), httponly=True, samesite="lax", secure=self.is_https, path="/")
        response.headers["clear-site-data"] = '"cache"'
