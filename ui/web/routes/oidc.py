"""Signing in at an OIDC provider: code flow with PKCE, state and nonce, by Authlib. Imported only where one is set up.

The provider says who somebody is; who may come in, and as what, is said here: by an account made beforehand under their
verified e-mail address, or under what the provider calls them.
"""

from typing import Any
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from httpx2 import HTTPError, InvalidURL
from joserfc.errors import JoseError
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from storage import Repository
from ui.services.passwords import PER_ADDRESS, WITHIN_S
from ui.services.throttle import Throttle
from ui.settings import Settings
from ui.web.cookies import Cookies
from ui.web.plain_pages import PlainPages
from ui.web.raters import address_of
from ui.web.routes.signing_in import Entry, inside
from ui.web.security import Secret

START, BACK = "/sign-in/oidc", "/sign-in/oidc/back"
STATE_SECONDS = 600  # to sign in at the provider
PATIENCE_S = 10
_WAYS = {"Try again": "/sign-in"}


def oidc_routes(
    settings: Settings,
    base: str,
    repository: Repository,
    entry: Entry,
    secret: Secret,
    cookies: Cookies,
    pages: PlainPages,
) -> list[Route]:
    """Return the routes. base: the address at which people reach the server."""
    issuer, noted = str(settings.oidc_issuer), Throttle(PER_ADDRESS, WITHIN_S)
    client = OAuth().register(
        "provider",
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid email", "code_challenge_method": "S256", "timeout": PATIENCE_S},
    )

    async def failed(request: Request, told: str) -> None:
        address = address_of(request)
        if not noted.is_closed(address):  # asking costs nothing, and the log only grows
            noted.fail(address)
            await run_in_threadpool(repository.audit.add, "nobody", "sign-in failed", told, address)

    async def start(request: Request) -> Response:
        request.session.clear()  # one attempt at a time
        request.session["next"] = inside(request.query_params.get("next", "/"))
        try:
            response: Response = await client.authorize_redirect(request, f"{base}{BACK}")
        except (AuthlibBaseError, HTTPError, InvalidURL, RuntimeError, ValueError):
            text = (
                f"{provider_name(settings)} does not answer as it should. Try again later, or sign in with a password."
            )
            return pages.words("The provider does not answer", text, 502, _WAYS)
        return response

    async def back(request: Request) -> Response:
        wanted = inside(str(request.session.pop("next", "/")))
        try:
            token = await client.authorize_access_token(request)
            claims = _checked(token.get("userinfo"), issuer)
        except (AuthlibBaseError, JoseError, HTTPError, InvalidURL, RuntimeError, ValueError):
            await failed(request, "OIDC")
            text = "What came back from the provider does not belong to a sign-in begun in this browser a moment ago."
            return pages.words("Signing in did not work", text, 400, _WAYS)
        finally:
            request.session.clear()
        subject, names = f"{issuer}|{claims['sub']}", names_of(claims)
        account = await run_in_threadpool(repository.accounts.of_subject, subject, names)
        if account is None:
            told = f"OIDC {', '.join(names) or claims['sub']}"
            await failed(request, told)
            text = (
                f"There is no account here for {' or '.join(names) or 'you'}. Ask an admin of this server to make one."
            )
            return pages.words("No account here", text, 403, _WAYS)
        return await run_in_threadpool(entry.let_in, request, account, wanted)

    state = Middleware(
        SessionMiddleware,
        secret_key=secret.digest("state of OIDC"),
        session_cookie=f"{cookies.key('account')}_oidc",
        max_age=STATE_SECONDS,
        same_site="lax",  # the provider leads back from another site
        https_only=cookies.is_https,
    )
    return [Route(path, way, methods=["GET"], middleware=[state]) for path, way in ((START, start), (BACK, back))]


def provider_name(settings: Settings) -> str:
    """Return what the sign-in page calls the provider: its host."""
    return urlsplit(str(settings.oidc_issuer)).hostname or "the provider"


def names_of(claims: dict[str, Any]) -> tuple[str, ...]:
    """Return under which names somebody's account may stand: their e-mail address where the provider has verified it,
    and what it calls them, unless that only looks like an address.
    """
    sub, email = str(claims["sub"]), claims.get("email")
    verified = (str(email),) if email and claims.get("email_verified") is True else ()
    return verified + (() if "@" in sub else (sub,))


def _checked(claims: Any, issuer: str) -> dict[str, Any]:
    """Return the claims of an identity of our provider. Raises ValueError."""
    if not claims or not claims.get("sub") or str(claims.get("iss", "")).rstrip("/") != issuer.rstrip("/"):
        raise ValueError("no identity, or another provider's")
    return dict(claims)
