"""Signing in at an OIDC provider: code flow with PKCE, state and nonce, by Authlib. Imported only where one is set up.

The provider says who somebody is; who may come in, and as what, is said here: by an account made beforehand under their
verified e-mail address, or under what the provider calls them.
"""

import time
from typing import Any
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from cryptography.exceptions import UnsupportedAlgorithm
from httpx2 import HTTPError, InvalidURL
from joserfc.errors import JoseError
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from storage import Repository
from ui.services.accounts.passwords import PER_ADDRESS, WITHIN_S
from ui.services.accounts.throttle import Throttle
from ui.settings import Settings
from ui.web.access.cookies import Cookies
from ui.web.access.oidc_answers import Exchange, UsedStates, ask_plainly, bound, checked_claims, checked_metadata
from ui.web.access.plain_pages import PlainPages
from ui.web.access.raters import address_of
from ui.web.access.security import Secret
from ui.web.routes.signing_in import Entry, inside

START, BACK = "/sign-in/oidc", "/sign-in/oidc/back"
STATE_SECONDS = 600  # to sign in at the provider
PATIENCE_S = 10
_WAYS = {"Try again": "/sign-in"}
# What an answer of any shape can end in: Authlib and joserfc take fields as they come.
_FAILURES = (
    *(AuthlibBaseError, JoseError, HTTPError, InvalidURL, TimeoutError, UnsupportedAlgorithm, RuntimeError),
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
)


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
        client_kwargs={
            "scope": "openid email",
            "code_challenge_method": "S256",
            "timeout": PATIENCE_S,
            "event_hooks": {"request": [ask_plainly], "response": [bound]},
        },
    )
    exchange, used, host = Exchange(), UsedStates(STATE_SECONDS, time.monotonic), provider_name(settings)

    async def failed(request: Request, told: str) -> None:
        address = address_of(request)
        if noted.take(address or "all") == 0:  # asking costs nothing, and the log only grows
            await run_in_threadpool(repository.audit.add, "nobody", "sign-in failed", told, address)

    async def start(request: Request) -> Response:
        request.session.clear()  # one attempt at a time
        request.session["next"] = inside(request.query_params.get("next", "/"))
        try:
            if not client.server_metadata:
                async with exchange.begun():
                    await _load(client)
            response: Response = await client.authorize_redirect(request, f"{base}{BACK}")
        except _FAILURES as error:
            await failed(request, f"OIDC, {_reason(error)}")
            text = f"{host} does not answer as it should. Try again later, or sign in with a password."
            return pages.words("The provider does not answer", text, 502, _WAYS)
        return response

    async def back(request: Request) -> Response:
        wanted = inside(str(request.session.pop("next", "/")))
        try:
            if f"_state_{client.name}_{request.query_params.get('state')}" not in request.session:
                raise ValueError("no sign-in was begun in this browser in the last ten minutes")
            if not used.use(request.query_params["state"]):
                raise ValueError("this sign-in came back before")
            async with exchange.begun():
                await _load(client)
                token = await client.authorize_access_token(request)
            claims = checked_claims(token.get("userinfo"), issuer, str(settings.oidc_client_id))
        except _FAILURES as error:
            client.server_metadata.pop("jwks", None)  # keys of a wrong shape are not kept
            await failed(request, f"OIDC, {_reason(error)}")
            text = (
                f"Signing in at {host} did not work. Try again; if it happens twice, tell an admin (the reason is in "
                "the log)."
            )
            return pages.words("Signing in did not work", text, 400, _WAYS)
        finally:
            request.session.clear()
        subject, names = f"{issuer}|{claims['sub']}", names_of(claims)
        account = await run_in_threadpool(repository.accounts.of_subject, subject, names)
        if account is None:
            await failed(request, f"OIDC {', '.join(names) or claims['sub']}")
            return pages.words("No account here", _no_account(claims, names, host), 403, _WAYS)
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
    """Return the names that somebody's account may have: their verified e-mail address, and the provider's subject.

    A subject that looks like an address is left out, because nobody has verified it.
    """
    sub, email = claims["sub"], claims.get("email")
    verified = (email,) if email and claims.get("email_verified") is True else ()
    return verified + (() if "@" in sub else (sub,))


def _no_account(claims: dict[str, Any], names: tuple[str, ...], host: str) -> str:
    """Return why nobody comes in under these claims, and what to do."""
    if claims.get("email") and claims.get("email_verified") is not True:
        return (
            f"{host} has not confirmed your e-mail address. Confirm it there, then sign in again; or ask an admin of "
            "this server for a password."
        )
    return f"There is no account here for {' or '.join(names) or 'you'}. Ask an admin of this server to make one."


async def _load(client: Any) -> None:
    """Read the provider's metadata, once. Metadata of a wrong shape are not kept. Raises ValueError and others."""
    try:
        checked_metadata(await client.load_server_metadata())
    except _FAILURES:
        client.server_metadata.clear()
        raise


def _reason(error: Exception) -> str:
    """Return for the log why signing in failed."""
    return f"{type(error).__name__}: {error}"
