"""Compare the tokens of a served model with those of the published code."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BadSetting, ModelUnavailable, NoScore
from core.models.vlm.llava_prompt import IMAGE, Turn, llava_v1
from core.models.vlm.model_server import ModelServer
from core.models.vlm.probing import probe_answer
from core.models.vlm.served_chat import Dialect

BEGIN = "<s>"
PROBE: tuple[Turn, ...] = (("Is this picture grey?", "0.5"), ("Score:", None))
GAPS = (("", ""), (" ", " "), ("", " "), (" ", ""))  # (text after the begin mark, text after the picture)
EVERY_PAIR = "\n".join(f"0.{first}{second}" for first in range(10) for second in range(10))


def tokenize(server: ModelServer, model: str, text: str) -> list[int] | None:
    """Return the tokens of a text without special tokens; None if the server does not return tokens."""
    body = {"model": model, "prompt": text, "add_special_tokens": False}
    try:
        return [int(token) for token in server.post(f"{server.root}/tokenize", body)["tokens"]]
    except (NoScore, ModelUnavailable, KeyError, TypeError, ValueError):
        return None


def digit_ids(server: ModelServer, model: str) -> tuple[int, ...]:
    """Return the tokens of "0" to "9"; () if the server returns none.

    Raises BadSetting if a digit is not a single token.
    """
    encoded = [tokenize(server, model, str(digit)) for digit in range(10)]
    if not all(encoded):
        return ()
    ids = [tokens[-1] for tokens in encoded if tokens]
    written = [ids.index(token) for token in tokenize(server, model, EVERY_PAIR) or () if token in ids]
    if len(set(ids)) < 10 or "".join(map(str, written)) != re.sub(r"\D", "", EVERY_PAIR):
        raise BadSetting(
            f"Expected a model whose ten digits are ten single tokens, found another in {model}; "
            "its scores cannot be smoothed so. A general judge (see `models`) takes whole numbers."
        )
    return tuple(ids)


def match_tokens(server: ModelServer, dialect: Dialect, probed: Mapping[str, Any]) -> tuple[Dialect, str | None]:
    """Compare how the server and the published code tokenise a test prompt.

    Returns two values. The first is the format of requests in which the tokens agree, if there is one. The second is
    the signature's value for the tokens. It is None if the tokens agree, and "server" with a hash if they differ. It is
    "untold" if the server returns no tokens. Raises BadSetting if the server's text of the prompt differs.

    The published code tokenises the text before the picture and the text after it separately, each like a new text.
    Most servers tokenise the prompt as one text, including the marks for its begin and for the picture. With a space
    after such a mark, both ways can give the same tokens. So this function tries formats with and without these spaces.
    """
    _check_text(probed, dialect)
    wanted = published_tokens(server, dialect)
    if not probed.get("prompt_token_ids") or wanted is None:
        return dialect, "untold"
    for gaps in GAPS:
        spaced = replace(dialect, gaps=gaps)
        answer = probed if gaps == dialect.gaps else probe_answer(server, spaced, PROBE)
        if isinstance(answer, NoScore) or not answer.get("prompt_token_ids"):
            continue
        _check_text(answer, spaced)
        if _with_one(wanted.image, answer["prompt_token_ids"]) == wanted.ids:
            return spaced, None
    ids = ",".join(map(str, _with_one(wanted.image, probed["prompt_token_ids"])))
    return dialect, f"server-{hashlib.sha256(ids.encode()).hexdigest()[:8]}"


class ProbeTokens(NamedTuple):
    """The tokens of the test prompt's text."""

    ids: list[int]  # tokens of the prompt, with one token for the picture
    image: int  # id of the picture's token


def published_tokens(server: ModelServer, dialect: Dialect) -> ProbeTokens | None:
    """Return the test prompt's tokens, computed as in the published code.

    Returns None if the server returns no tokens.
    """
    before, after = llava_v1(PROBE, dialect.doubled_end).split(IMAGE, maxsplit=1)
    parts = [tokenize(server, dialect.model, text) for text in (BEGIN, before, IMAGE, after)]
    if not all(parts):
        return None
    begin, head, image, tail = (part or [] for part in parts)
    return ProbeTokens([begin[-1], *head, image[-1], *tail], image[-1])


def _check_text(probed: Mapping[str, Any], dialect: Dialect) -> None:
    text = probed.get("prompt_text")
    if text is None:
        return
    begin, image = dialect.gaps
    ours = BEGIN + begin + llava_v1(PROBE, dialect.doubled_end).replace(IMAGE, IMAGE + image)
    theirs = re.sub(rf"(?:{IMAGE})+", IMAGE, text)
    if theirs != ours:
        raise BadSetting(
            f"The server builds another prompt than Capscope: {theirs!r} instead of {ours!r}. Start the server with "
            "--chat-template assets/llava_v1.jinja, or use the server's own template with --option template=chat."
        )


def _with_one(image: int, tokens: Sequence[int]) -> list[int]:
    """Return the tokens with one picture token instead of several.

    Some servers return one picture token, others hundreds.
    """
    return [token for place, token in enumerate(tokens) if token != image or place == 0 or tokens[place - 1] != image]
