"""Sign in with an OIDC provider by Authlib (code flow with PKCE, state and nonce).

This module is imported only if the settings name a provider. The provider identifies a person, for whom an admin must
have made an account. The account's name is the person's verified e-mail address or the provider's subject.
"""

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any

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
from ui.services.accounts.attempt_counter import Throttle
from ui.services.accounts.passwords import PER_ADDRESS, WITHIN_S
from ui.settings import Settings
from ui.web.access.oidc_answers import Exchange, UsedStates, ask_plainly, bound, checked_claims, checked_metadata
from ui.web.access.raters import address_of
from ui.web.routes.dependencies import Dependencies, provider_name
from ui.web.routes.signing_in import Entry, inside

START, BACK = "/sign-in/oidc", "/sign-in/oidc/back"
STATE_SECONDS = 600  # seconds in which a sign-in must be completed
PATIENCE_S = 10
_WAYS = {"Try again": "/sign-in"}
# Errors that malformed responses can cause, because Authlib and joserfc do not check the types of fields.
_FAILURES = (
    *(AuthlibBaseError, JoseError, HTTPError, InvalidURL, TimeoutError, UnsupportedAlgorithm, RuntimeError),
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
)


@dataclass(frozen=True, slots=True)
class Provider:
    """The OIDC provider, and the sign-ins in progress."""

    issuer: str
    client_id: str
    client: Any  # Authlib's
    host: str  # name of the provider, as shown to people
    redirect_uri: str  # address to which the provider redirects back
    exchange: Exchange = field(default_factory=Exchange)
    used: UsedStates = field(default_factory=lambda: UsedStates(STATE_SECONDS, time.monotonic))
    noted: Throttle = field(default_factory=lambda: Throttle(PER_ADDRESS, WITHIN_S))  # limits log entries of failures


def oidc_routes(settings: Settings, base: str, entry: Entry, needed: Dependencies) -> list[Route]:
    """Return the routes for signing in. base: the server's public address."""
    provider = provider_of(settings, base)
    state = Middleware(
        SessionMiddleware,
        secret_key=needed.secret.digest("state of OIDC"),
        session_cookie=f"{needed.door.cookies.key('account')}_oidc",
        max_age=STATE_SECONDS,
        same_site="lax",  # the provider redirects back from another site, and "strict" would then hide the cookie
        https_only=needed.door.cookies.is_https,
    )
    ways = {START: partial(start, provider, needed), BACK: partial(back, provider, entry, needed)}
    return [Route(path, way, methods=["GET"], middleware=[state]) for path, way in ways.items()]


def provider_of(settings: Settings, base: str) -> Provider:
    """Return the OIDC provider that the settings name."""
    issuer, client_id = str(settings.oidc_issuer), str(settings.oidc_client_id)
    client = OAuth().register(
        "provider",
        client_id=client_id,
        client_secret=settings.oidc_client_secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email",
            "code_challenge_method": "S256",
            "timeout": PATIENCE_S,
            "event_hooks": {"request": [ask_plainly], "response": [bound]},
        },
    )
    return Provider(issuer, client_id, client, provider_name(settings), f"{base}{BACK}")


async def start(provider: Provider, needed: Dependencies, request: Request) -> Response:
    """Redirect a browser to the OIDC provider for signing in."""
    request.session.clear()  # a browser has one sign-in attempt at a time
    request.session["next"] = inside(request.query_params.get("next", "/"))
    try:
        if not provider.client.server_metadata:
            async with provider.exchange.begun():
                await _load(provider.client)
        response: Response = await provider.client.authorize_redirect(request, provider.redirect_uri)
    except _FAILURES as error:
        await _note_failure(provider, needed.repository, request, f"OIDC, {_reason(error)}")
        text = f"{provider.host} returned an unexpected answer. Try again later, or sign in with a password."
        return needed.pages.words("The sign-in provider does not answer", text, 502, _WAYS)
    return response


async def back(provider: Provider, entry: Entry, needed: Dependencies, request: Request) -> Response:
    """Sign in the account of the person whom the provider identifies."""
    wanted = inside(str(request.session.pop("next", "/")))
    try:
        claims = await _claims(provider, request)
    except _FAILURES as error:
        provider.client.server_metadata.pop("jwks", None)  # the keys may be malformed, so load them again next time
        await _note_failure(provider, needed.repository, request, f"OIDC, {_reason(error)}")
        text = (
            f"Signing in at {provider.host} failed. Try again. If it fails twice, tell an admin; the log contains "
            "the reason."
        )
        return needed.pages.words("Signing in failed", text, 400, _WAYS)
    finally:
        request.session.clear()
    subject, names = f"{provider.issuer}|{claims['sub']}", names_of(claims)
    account = await run_in_threadpool(needed.repository.accounts.of_subject, subject, names)
    if account is None:
        await _note_failure(provider, needed.repository, request, f"OIDC {', '.join(names) or claims['sub']}")
        return needed.pages.words("No account here", _no_account(claims, names, provider.host), 403, _WAYS)
    return await run_in_threadpool(entry.let_in, request, account, wanted)


async def _claims(provider: Provider, request: Request) -> dict[str, Any]:
    """Return the provider's claims about the person. Raises the errors in _FAILURES."""
    if f"_state_{provider.client.name}_{request.query_params.get('state')}" not in request.session:
        raise ValueError("no sign-in was started in this browser in the last ten minutes")
    if not provider.used.use(request.query_params["state"]):
        raise ValueError("this sign-in was used before")
    async with provider.exchange.begun():
        await _load(provider.client)
        token = await provider.client.authorize_access_token(request)
    return checked_claims(token.get("userinfo"), provider.issuer, provider.client_id)


async def _note_failure(provider: Provider, repository: Repository, request: Request, reason: str) -> None:
    """Write a failed sign-in to the audit log.

    The number of failures per address is limited, so that attackers cannot fill the log.
    """
    address = address_of(request)
    if provider.noted.take(address or "all") == 0:
        await run_in_threadpool(repository.audit.add, "nobody", "sign-in failed", reason, address)


def names_of(claims: dict[str, Any]) -> tuple[str, ...]:
    """Return the names that a person's account may have.

    They are the verified e-mail address and the provider's subject. A subject with "@" is ignored, because nobody has
    verified that it is the person's address.
    """
    sub, email = claims["sub"], claims.get("email")
    verified = (email,) if email and claims.get("email_verified") is True else ()
    return verified + (() if "@" in sub else (sub,))


def _no_account(claims: dict[str, Any], names: tuple[str, ...], host: str) -> str:
    """Return a message for a person who has no account.

    It says why the provider's claims do not allow a sign-in, and what to do.
    """
    if claims.get("email") and claims.get("email_verified") is not True:
        return (
            f"{host} has not confirmed your e-mail address. Confirm the address there, then sign in again. Or ask an "
            "admin of this server for a password."
        )
    return (
        f"There is no account here for {' or '.join(names) or 'you'}. Ask an admin of this server to create an account."
    )


async def _load(client: Any) -> None:
    """Read the OIDC provider's metadata once.

    Malformed metadata are discarded. Raises ValueError for them. Raises other errors in _FAILURES if the metadata
    cannot be read.
    """
    try:
        checked_metadata(await client.load_server_metadata())
    except _FAILURES:
        client.server_metadata.clear()
        raise


def _reason(error: Exception) -> str:
    """Return a text for the log that explains a failed sign-in."""
    return f"{type(error).__name__}: {error}"
