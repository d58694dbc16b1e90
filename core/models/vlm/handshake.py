"""Find the format of requests with which a served model answers like the same model on this computer.

This module is made for vLLM. When Capscope connects to a server, the module finds out which tokens are the digits. It
also finds out whether the server returns probabilities by token id. Then it compares the text and tokens of a prompt
from the server's template with those from the published code. The signature names every remaining difference.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

from core.errors import BadSetting, ModelUnavailable, NoScore
from core.models import Endpoint, ModelSettings
from core.models.vlm.endpoint import EndpointVlm
from core.models.vlm.identity import ANY, identity_of, public_name
from core.models.vlm.llava_prompt import IMAGE, Turn, llava_v1
from core.models.vlm.model_server import ModelServer
from core.models.vlm.pace import used_tokens
from core.models.vlm.probing import probe, probe_answer
from core.models.vlm.retries import Patience
from core.models.vlm.sampling import sampling_of
from core.models.vlm.served_chat import (
    LLAVA_SIDE,
    LONGEST_SIDE,
    Dialect,
)

BEGIN = "<s>"
FINE_TUNED = "expert"  # text that the server's name for EXPERT's fine-tuned model contains
IMPATIENT = Patience(total_s=3.0, answer_s=30.0)  # short waits, to find out whether any server answers
PROBE: tuple[Turn, ...] = (("Is this picture grey?", "0.5"), ("Score:", None))
GAPS = (("", ""), (" ", " "), ("", " "), (" ", ""))  # (text after the begin mark, text after the picture)
EVERY_PAIR = "\n".join(f"0.{first}{second}" for first in range(10) for second in range(10))


@dataclass(frozen=True, slots=True)
class Served:
    """What a server reports about itself."""

    engine: str  # "vllm-0.32.0", or "openai" for a server without a version
    models: tuple[Mapping[str, Any], ...]  # entries of the server's list of models


def look(server: ModelServer) -> Served:
    """Return the server's engine and models. Raises ModelUnavailable if the server does not answer."""
    try:
        listed = server.get(f"{server.url}/models")
        models = tuple(one for one in listed["data"] if isinstance(one, Mapping) and "id" in one)
    except (NoScore, KeyError, TypeError) as error:
        raise ModelUnavailable(
            f"{server.url} does not list its models in the format of OpenAI's API: {error}"
        ) from error
    try:
        return Served(f"vllm-{server.get(f'{server.root}/version')['version']}", models)
    except (NoScore, ModelUnavailable, KeyError, TypeError):
        return Served("openai", models)


def serves(endpoint: Endpoint) -> str:
    """Return a text that lists the models on the server at an address.

    Raises ModelUnavailable if the server does not answer.
    """
    served = look(ModelServer(endpoint, IMPATIENT))
    return f"{served.engine} with {', '.join(str(model['id']) for model in served.models) or 'no model'}"


def pick(served: Served, endpoint: Endpoint, tuned: bool) -> Mapping[str, Any]:
    """Return the model that the endpoint names, or the server's only suitable model.

    tuned: whether EXPERT's fine-tuned model is wanted, whose name contains "expert". Raises BadSetting.
    """
    names = ", ".join(str(model["id"]) for model in served.models) or "none"
    if endpoint.model is not None:
        named = [model for model in served.models if model["id"] == endpoint.model]
        if not named:
            raise BadSetting(f"{endpoint.url} serves no model {endpoint.model!r}; it serves: {names}.")
        return named[0]
    fitting = [model for model in served.models if (FINE_TUNED in str(model["id"]).lower()) == tuned]
    if len(fitting) != 1:
        wanted = 'a model with "expert" in its name (see `expert merge`)' if tuned else "one"
        raise BadSetting(f"{endpoint.url} serves {names}; expected {wanted}. Name it with --endpoint-model.")
    return fitting[0]


def connect(endpoint: Endpoint, settings: ModelSettings, tuned: bool, integers: bool = False) -> EndpointVlm:
    """Return a model on one server.

    tuned: whether EXPERT's fine-tuned model is wanted. integers: whether to ask for whole numbers, with the model's own
    template. Raises ModelUnavailable if the server does not answer. Raises BadSetting if the server has another model
    than requested.
    """
    server = ModelServer(endpoint, IMPATIENT)
    served = look(server)
    server.patience = Patience()
    model = pick(served, endpoint, tuned)
    template = "chat" if integers or settings.options.get("template") == "chat" else "llava_v1"
    sampling = sampling_of(settings.options)
    raw = sampling is not None and template == "chat"  # LLaVA is checked with tokens' probabilities; "raw" has none
    dialect = Dialect(
        str(model["id"]),
        cast(Literal["llava_v1", "chat"], template),
        "raw" if raw else "integers" if integers else "exact",
        () if integers or raw else digit_ids(server, str(model["id"])),
        side=side_of(settings.options.get("side", "")),
        doubled_end=settings.strict_reference,
        sampling=sampling if raw else None,
    )
    dialect, probed = probe(server, dialect, PROBE)
    if endpoint.tokens_per_min is not None and used_tokens(probed) is None:
        raise BadSetting(
            f"{server.url} does not report the number of tokens of a request. --tokens-per-min needs this number; "
            "run again without --tokens-per-min."
        )
    server.remember(dialect.model)
    tokens: str | None = "server"
    if template == "llava_v1":
        dialect, tokens = match_tokens(server, dialect, probed)
    if sampling is not None:
        dialect = replace(dialect, digits="raw", sampling=sampling)
    listed, root = public_name(dialect.model), public_name(str(model.get("root") or dialect.model))
    identity = identity_of(probed)
    if endpoint.on_change == "ignore":
        identity = replace(identity, fingerprint=ANY)
    named = identity.model or listed.name
    facts: dict[str, str | bool | None] = {
        "engine": served.engine,
        "model": named,
        "root": None if root.name in (named, listed.name) else root.name,
        "revision": root.revision or listed.revision,
        "fingerprint": identity.fingerprint,
        "adapter": listed.name if model.get("parent") else None,
        "digits": dialect.signed_digits,
        "samples": None if sampling is None else str(sampling.answers),
        "temperature": f"{sampling.temperature:g}" if sampling else None if dialect.greedy else "default",
        "template": "chat" if template == "chat" else ("llava_v1" if probed.get("prompt_text") else "untold"),
        "pixels": f"pad{dialect.side}-webp" if template == "llava_v1" else f"longest{LONGEST_SIDE}-webp",
        "tokens": tokens,
        "gaps": "yes" if any(dialect.gaps) else None,
    }
    return EndpointVlm(server, dialect, facts, identity, facts | _earlier(model))


def _earlier(model: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the facts that earlier versions of Capscope wrote into signatures for this model.

    These versions wrote the model's name unchanged, including its folders.
    """
    name, root = str(model["id"]), model.get("root")
    return {
        "model": name,
        "root": None if root in (None, name) else str(root),
        "revision": None,
        "fingerprint": None,
        "adapter": name if model.get("parent") else None,
    }


def side_of(text: str) -> int:
    """Return the side length, in px, of the square picture that a LLaVA on a server gets. Raises BadSetting."""
    if text and not (text.isascii() and text.isdigit() and 0 < int(text) <= 4096):
        raise BadSetting(f"The option side must be a number of pixels from 1 to 4096, found {text!r}.")
    return int(text) if text else LLAVA_SIDE


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
    """Compare the server's text and tokens of a test prompt with those of the published code.

    Returns the format of requests for which both agree, and what the signature says about the tokens. The published
    code tokenises the texts before and after the picture separately, each like a new text. Most servers tokenise the
    whole text together, including the special marks. A space after a mark makes both results equal.

    The signature's value is None if the tokens agree, and "server" with a hash if they differ. The value is "untold" if
    the server returns no tokens. Raises BadSetting if the text differs.
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
