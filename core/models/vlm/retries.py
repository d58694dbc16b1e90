"""Rules for repeating a request to a model server, and for giving up."""

import json
import math
from dataclasses import dataclass

import httpx2

from core.errors import ModelUnavailable, NoScore
from core.network.reach import NO_PASS

BUSY = (408, 425, 429, 502, 503, 504)  # statuses with which the server, or a proxy before it, asks to try again later
FAILED = 500  # status for a failure of the server, or for a request that this server cannot handle
TRIES_OF_A_FAILURE = 4
SHUT = (401, 402, 403, 404)  # wrong API key, no credit or unknown model; all further requests will fail too
FORBIDDEN = 403
LOGPROBS = "logprobs"  # OpenAI's error 403 has this word if the API key is right but the model gives no probabilities
NO_PASS_STATUS = 407
NO_CREDIT = (402, 429)  # status 429 is final only if it has OpenAI's code for an account without credit
QUOTA = "insufficient_quota"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for an answer."""

    first_s: float = 0.5  # seconds before the second try; doubled for each further try
    most_s: float = 20.0  # maximum wait between two tries
    total_s: float = 600.0  # maximum wait for an absent or busy server, counted from the request's first try
    answer_s: float = math.inf  # maximum wait for one answer; the endpoint's own timeout applies if it is shorter
    quiet_s: float = 5.0  # seconds after which an absent server is noted in the log


PATIENCE = Patience()


class Again(Exception):
    """A request to a model server failed, but a retry may help."""

    def __init__(self, problem: str, wait_s: float = 0.0, is_failure: bool = False) -> None:
        """Take a description of the problem.

        wait_s: how long the server asks the client to wait, in s. is_failure: True if the server may have failed
        because of this request.
        """
        self.wait_s, self.is_failure = wait_s, is_failure
        super().__init__(problem)


def check_failures(failures: int, last: Again) -> None:
    """Raise NoScore if a request has failed too often.

    failures: how often it failed. last: the last failure.
    """
    if last.is_failure and failures >= TRIES_OF_A_FAILURE:
        raise NoScore("refused", f"The server failed {failures} times: {last}")


def refused(url: str, response: httpx2.Response) -> Exception:
    """Return the error to raise when a server refuses a request."""
    status, problem = response.status_code, f"{response.status_code}: {_words(response)}"
    if status == NO_PASS_STATUS:
        return ModelUnavailable(f"No connection to {url}: {NO_PASS}.")
    if status == FORBIDDEN and LOGPROBS in problem.lower():
        return NoScore("refused", f"The server refused: {problem}")
    if status in SHUT or QUOTA in response.text:
        todo = "Check the account's credit" if status in NO_CREDIT else "Check --endpoint-model and the key"
        return ModelUnavailable(f"{url} answered {problem}. {todo}. All scores so far are stored.")
    if status not in (*BUSY, FAILED):
        return NoScore("refused", f"The server refused: {problem}")
    return Again(problem, _retry_after(response), is_failure=status == FAILED)


def _words(response: httpx2.Response) -> str:
    """Return a server's error message as one short line. The message may be in OpenAI's or another format."""
    try:
        message = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        message = response.text
    if isinstance(message, dict):
        message = message.get("error", message.get("message", message.get("detail", message)))
    if isinstance(message, dict):
        message = message.get("message", message)
    return " ".join(str(message).split())[:300]


def _retry_after(response: httpx2.Response) -> float:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0
