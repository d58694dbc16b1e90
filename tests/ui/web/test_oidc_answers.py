"""An OIDC provider that sends too much, too slowly, or anything but what it should."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from joserfc import jwk, jwt

from core.errors import AlreadyExists
from tests.loops import run_async
from tests.ui.web.test_signing_in import PUBLIC, browser_of
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.web.access.oidc_answers import MOST_STATES, Exchange, UsedStates
from ui.web.routes import oidc

KEY = jwk.generate_key("RSA", 2048, {"kid": "one"}, private=True)
HUGE, SLOW, PACKED = object(), object(), object()
ODD: tuple[Any, ...] = ([1], {}, None, 5, "text", {"keys": 7}, {"keys": [{"kty": "RSA"}]}, "[" * 5_000)


@dataclass
class Provider:
    """A provider; what is in `says` takes the place of its proper answers, by the last word of the path."""

    address: str = ""
    says: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)  # beside those of a proper identity
    nonce: str = ""
    sent: int = 0  # bytes
    over: threading.Event = field(default_factory=threading.Event)

    def answer(self, word: str) -> Any:
        """Return the answer to a request."""
        if word in self.says:
            return self.says[word]
        if word == "openid-configuration":
            ends = {name: f"{self.address}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
            return {"issuer": self.address} | ends
        if word == "jwks_uri":
            return {"keys": [KEY.as_dict(private=False)]}
        now = int(time.time())
        identity = {"iss": self.address, "aud": "capscope", "sub": "s1", "iat": now, "exp": now + 60}
        token = jwt.encode({"alg": "RS256", "kid": "one"}, identity | {"nonce": self.nonce} | self.claims, KEY)
        return {"access_token": "a", "token_type": "Bearer", "id_token": token}


def handler(of: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            answer = of.answer(self.path.rpartition("/")[2])
            self.send_response(200)
            self.send_header("content-type", "application/json")
            if answer is PACKED:
                self.send_header("content-encoding", "gzip")
            self.end_headers()
            with suppress(OSError):
                for chunk in self.chunks(answer):
                    of.sent += self.wfile.write(chunk)

        do_POST = do_GET

        def chunks(self, answer: Any) -> Iterator[bytes]:
            if answer is HUGE:
                yield from (b" " * 65_536 for _ in range(2_000))
            elif answer is SLOW:
                while not of.over.wait(0.02):
                    yield b" "
            else:
                yield answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@pytest.fixture
def provider() -> Iterator[Provider]:
    known = Provider()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(known))
    known.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield known
    known.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def led(workplace: Workplace, provider: Provider, api_of: Callable[..., FastAPI]) -> FastAPI:
    settings = replace(PUBLIC, oidc_issuer=provider.address, oidc_client_id="capscope", oidc_client_secret="secret")
    return api_of(workplace, Judge(workplace), settings)


def come_back(browser: TestClient, provider: Provider) -> Any:
    """Begin to sign in, and come back from the provider at once."""
    begun = browser.get("/sign-in/oidc")
    if begun.status_code != 302:
        return begun
    asked = parse_qs(urlsplit(begun.headers["location"]).query)
    provider.nonce = asked["nonce"][0]
    return browser.get(f"/sign-in/oidc/back?code=c&state={asked['state'][0]}")


def reasons(workplace: Workplace) -> list[str]:
    return [one.object for one in workplace.repository.audit.all() if one.deed == "sign-in failed"]


def test_the_stand_in_lets_somebody_in(workplace: Workplace, led: FastAPI, provider: Provider) -> None:
    workplace.repository.accounts.add("s1", "viewer")
    assert come_back(browser_of(led), provider).status_code == 303


@pytest.mark.parametrize("word", ["openid-configuration", "jwks_uri", "token_endpoint"])
def test_an_answer_of_any_shape_is_told_and_forgotten(
    workplace: Workplace, led: FastAPI, provider: Provider, word: str
) -> None:
    workplace.repository.accounts.add("s1", "viewer")
    for odd in ODD:
        provider.says[word] = odd
        answer = come_back(browser_of(led), provider)
        assert answer.status_code in (400, 502), odd
    assert reasons(workplace)
    del provider.says[word]
    assert come_back(browser_of(led), provider).status_code == 303


@pytest.mark.parametrize("name", ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_metadata_that_name_no_address_lead_nowhere(led: FastAPI, provider: Provider, name: str) -> None:
    proper = provider.answer("openid-configuration")
    for odd in (None, 5, [], {}, "javascript:alert(1)", ""):
        provider.says["openid-configuration"] = proper | {name: odd}
        assert come_back(browser_of(led), provider).status_code in (400, 502), odd


def test_claims_of_any_shape_let_nobody_in(workplace: Workplace, led: FastAPI, provider: Provider) -> None:
    workplace.repository.accounts.add("s1", "viewer")
    for claims in (
        *({"sub": sub} for sub in (None, "", {"a": 1}, "x" * 256, "a\x00b", "\ud800")),
        *({"email": email, "email_verified": True} for email in (5, {"a": 1}, "x" * 255, "a\x00@b")),
        *({"exp": odd} for odd in ("soon", None)),
        *({"aud": odd} for odd in ([], {}, None, ["other"])),
        {"iss": {"a": 1}},
        {"nonce": ["x"]},
    ):
        provider.claims = claims
        answer = come_back(browser_of(led), provider)
        assert answer.status_code in (400, 403), claims
    assert workplace.repository.sessions.all() == ()


def test_a_huge_answer_is_read_no_further_than_its_bound(led: FastAPI, provider: Provider) -> None:
    for word in ("openid-configuration", "jwks_uri", "token_endpoint"):
        provider.says = {word: HUGE}
        assert come_back(browser_of(led), provider).status_code in (400, 502)
    assert provider.sent < 40_000_000  # three answers of 131 MB each; sockets hold some megabytes


def test_a_packed_answer_is_not_unpacked(workplace: Workplace, led: FastAPI, provider: Provider) -> None:
    provider.says["openid-configuration"] = PACKED
    with suppress(TypeError):
        assert come_back(browser_of(led), provider).status_code == 502
    assert "compressed" in reasons(workplace)[0]


def test_an_answer_that_drips_is_given_up(
    workplace: Workplace, provider: Provider, api_of: Callable[..., FastAPI], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = oidc.provider_of  # its exchange would take 20 seconds
    monkeypatch.setattr(oidc, "provider_of", lambda *given: replace(made(*given), exchange=Exchange(0.3)))
    settings = replace(PUBLIC, oidc_issuer=provider.address, oidc_client_id="a", oidc_client_secret="b")
    app = api_of(workplace, Judge(workplace), settings)
    provider.says["openid-configuration"] = SLOW
    assert come_back(browser_of(app), provider).status_code == 502
    assert "TimeoutError" in reasons(workplace)[0]


def test_one_exchange_runs_at_a_time_and_the_wait_counts() -> None:
    async def both() -> list[str]:
        exchange, seen = Exchange(0.2), list[str]()

        async def one(name: str) -> None:
            try:
                async with exchange.begun():
                    seen.append(name)
                    await asyncio.Event().wait()
            except TimeoutError:
                seen.append(f"{name} gives up")

        await asyncio.gather(one("first"), one("second"))
        return seen

    seen = run_async(both())
    assert seen[0] == "first" and sorted(seen[-2:]) == ["first gives up", "second gives up"]


def test_a_state_comes_back_once_in_ten_minutes_and_is_forgotten_then() -> None:
    now = 0.0
    used = UsedStates(600, lambda: now)
    assert used.use("a") and not used.use("a")
    now = 601.0
    assert used.use("a")
    for number in range(MOST_STATES):
        used.use(str(number))
    assert len(used._until) <= MOST_STATES


def test_a_cookie_that_was_kept_opens_nothing_a_second_time(
    workplace: Workplace, led: FastAPI, provider: Provider
) -> None:
    workplace.repository.accounts.add("s1", "viewer")
    browser = browser_of(led)
    begun = browser.get("/sign-in/oidc")
    asked = parse_qs(urlsplit(begun.headers["location"]).query)
    provider.nonce, kept = asked["nonce"][0], dict(browser.cookies)
    back = f"/sign-in/oidc/back?code=c&state={asked['state'][0]}"
    assert browser.get(back).status_code == 303
    thief = browser_of(led)
    thief.cookies.update(kept)
    answer = thief.get(back)
    assert answer.status_code == 400 and len(workplace.repository.sessions.all()) == 1
    assert "was used before" in reasons(workplace)[0]


def test_addresses_are_the_same_in_any_case_of_ascii_alone(
    workplace: Workplace, led: FastAPI, provider: Provider
) -> None:
    for made, claimed, status in (
        ("kim@lab.example", "\u212aim@lab.example", 403),  # the Kelvin sign
        ("ibis@lab.example", "\u0130bis@lab.example", 403),  # a dotted capital I
        ("kim@lab.example", "KIM@Lab.Example", 303),
        ("MÜLLER@lab.example", "MüLLER@LAB.example", 403),
        ("MÜLLER@lab.example", "MÜLLER@LAB.example", 303),
    ):
        with suppress(AlreadyExists):
            workplace.repository.accounts.add(made, "admin")
        provider.claims = {"sub": claimed.encode().hex(), "email": claimed, "email_verified": True}
        assert come_back(browser_of(led), provider).status_code == status, claimed
    assert len(workplace.repository.sessions.all()) == 2


def test_an_address_that_the_provider_has_not_confirmed_is_said_to_be_so(led: FastAPI, provider: Provider) -> None:
    provider.claims = {"email": "ada@lab.example", "email_verified": False}
    answer = come_back(browser_of(led), provider)
    assert answer.status_code == 403 and "127.0.0.1 has not confirmed your e-mail address." in answer.text
    assert "s1" not in answer.text


def test_signing_in_that_fails_says_what_to_do_and_the_log_says_why(
    workplace: Workplace, led: FastAPI, provider: Provider
) -> None:
    answer = browser_of(led).get("/sign-in/oidc/back?code=c&state=made-up")
    assert re.search("Signing in at 127.0.0.1 failed. Try again. If it fails twice, tell an admin", answer.text)
    assert reasons(workplace) == ["OIDC, ValueError: no sign-in was started in this browser in the last ten minutes"]
