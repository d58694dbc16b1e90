"""Limit and check the responses of an OIDC provider.

The size of each response is limited. So is the total time of a series of requests during a sign-in. The types and
lengths of the values in a response are checked.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from httpx2 import AsyncByteStream, ReadError, Request, Response

LARGEST_ANSWER = 262_144  # maximum bytes of an answer; Google's metadata and keys have 5,000
LONGEST_S = 20.0  # maximum seconds of one exchange with the provider, including the wait for earlier exchanges
LONGEST_SUBJECT = 255  # maximum characters of a subject in OpenID Connect Core
LONGEST_EMAIL = 254  # maximum characters of an e-mail address in RFC 5321
MOST_STATES = 10_000  # maximum number of sign-in states in memory
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class Exchange:
    """Runs exchanges with the provider one at a time, each within LONGEST_S."""

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._turn, self._longest_s = asyncio.Lock(), longest_s

    @asynccontextmanager
    async def begun(self) -> AsyncIterator[None]:
        """Run a `with` block as soon as no other exchange runs.

        Raises TimeoutError if waiting and the block together take too long.
        """
        async with asyncio.timeout(self._longest_s), self._turn:
            yield


class UsedStates:
    """Remembers the states (random texts) of completed sign-ins, so that none is used twice.

    Only this process knows these states.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock
        self._until: OrderedDict[str, float] = OrderedDict()  # state -> time when it expires; the oldest state first

    def use(self, state: str) -> bool:
        """Mark the state of a sign-in as used.

        Return whether this is its first use.
        """
        now = self._clock()
        while self._until and (len(self._until) >= MOST_STATES or next(iter(self._until.values())) <= now):
            self._until.popitem(last=False)
        if state in self._until:
            return False
        self._until[state] = now + self._seconds
        return True


async def ask_plainly(request: Request) -> None:
    """Request a response without compression. A hook for httpx2.

    Without compression, the size of the response is its real size.
    """
    request.headers["accept-encoding"] = "identity"


async def bound(response: Response) -> None:
    """Limit a response to LARGEST_ANSWER bytes. A hook for httpx2. Raises ReadError."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ReadError("the answer is compressed, which Capscope did not request", request=response.request)
    if isinstance(response.stream, AsyncByteStream):
        response.stream = _Bounded(response.stream, response.request)


class _Bounded(AsyncByteStream):
    def __init__(self, stream: AsyncByteStream, request: Request) -> None:
        self._stream, self._request = stream, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > LARGEST_ANSWER:
                raise ReadError(f"the answer is larger than {LARGEST_ANSWER:,} bytes", request=self._request)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def checked_metadata(metadata: Any) -> None:
    """Raise ValueError unless the provider's metadata have an issuer and addresses."""
    if not isinstance(metadata, dict) or not isinstance(metadata.get("issuer"), str):
        raise ValueError("the provider's metadata are not a JSON object with the configured issuer")
    for name in _ENDPOINTS:
        address = metadata.get(name)
        if not isinstance(address, str) or not address.startswith(("https://", "http://")):
            raise ValueError(f"the provider's metadata have no valid address for {name}")


def checked_claims(claims: Any, issuer: str, client: str) -> dict[str, Any]:
    """Return the claims if the provider issued them for this server.

    The claims state a person's identity. client: this server's id at the provider. Authlib treats an empty audience as
    a missing one and accepts it, but this function refuses an empty audience. Raises ValueError.
    """
    if not isinstance(claims, dict) or str(claims.get("iss", "")).rstrip("/") != issuer.rstrip("/"):
        raise ValueError("the answer has no identity, or an identity of another provider")
    audience = claims.get("aud")
    if client not in (audience if isinstance(audience, list) else [audience]):
        raise ValueError("the identity was issued for another server")
    if not _is_plain(claims.get("sub"), LONGEST_SUBJECT):
        raise ValueError(f"a subject must be 1 to {LONGEST_SUBJECT} printable characters")
    if claims.get("email") is not None and not _is_plain(claims["email"], LONGEST_EMAIL):
        raise ValueError(f"an e-mail address must be 1 to {LONGEST_EMAIL} printable characters")
    return dict(claims)


def _is_plain(text: Any, longest: int) -> bool:
    return isinstance(text, str) and 1 <= len(text) <= longest and text.isprintable()
