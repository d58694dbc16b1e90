"""How a served model must be asked so that its answers are those of the same model loaded here; made for vLLM.

When it connects it finds out which tokens the digits are, whether their probabilities come by token, which text the
template makes of a conversation and which tokens of that. What cannot be made equal is named in the signature.
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
from core.models.vlm.served_chat import (
    LLAVA_SIDE,
    LONGEST_SIDE,
    Dialect,
)
from core.models.vlm.trying import Patience

BEGIN = "<s>"
FINE_TUNED = "expert"  # in the served name of a model that was fine-tuned for EXPERT
IMPATIENT = Patience(total_s=3.0, answer_s=30.0)  # whether anything answers at all
PROBE: tuple[Turn, ...] = (("Is this picture grey?", "0.5"), ("Score:", None))
GAPS = (("", ""), (" ", " "), ("", " "), (" ", ""))  # behind the begin mark and the picture
EVERY_PAIR = "\n".join(f"0.{first}{second}" for first in range(10) for second in range(10))


@dataclass(frozen=True, slots=True)
class Served:
    """What a server says of itself."""

    engine: str  # "vllm-0.32.0", or "openai" where it tells no version
    models: tuple[Mapping[str, Any], ...]  # entries of its list


def look(server: ModelServer) -> Served:
    """Return what runs there. Raises ModelUnavailable where nothing answers."""
    try:
        listed = server.get(f"{server.url}/models")
        models = tuple(one for one in listed["data"] if isinstance(one, Mapping) and "id" in one)
    except (NoScore, KeyError, TypeError) as error:
        raise ModelUnavailable(f"{server.url} does not list its models as OpenAI's API does: {error}") from error
    try:
        return Served(f"vllm-{server.get(f'{server.root}/version')['version']}", models)
    except (NoScore, ModelUnavailable, KeyError, TypeError):
        return Served("openai", models)


def serves(endpoint: Endpoint) -> str:
    """Return in words what runs at an address. Raises ModelUnavailable where nothing answers."""
    served = look(ModelServer(endpoint, IMPATIENT))
    return f"{served.engine} with {', '.join(str(model['id']) for model in served.models) or 'no model'}"


def pick(served: Served, endpoint: Endpoint, tuned: bool) -> Mapping[str, Any]:
    """Return the model that was named, or the only one that fits: EXPERT's is called so. Raises BadSetting."""
    names = ", ".join(str(model["id"]) for model in served.models) or "none"
    if endpoint.model is not None:
        found = [model for model in served.models if model["id"] == endpoint.model]
        if not found:
            raise BadSetting(f"{endpoint.url} serves no model {endpoint.model!r}; it serves: {names}.")
        return found[0]
    fitting = [model for model in served.models if (FINE_TUNED in str(model["id"]).lower()) == tuned]
    if len(fitting) != 1:
        wanted = 'one whose name holds "expert" (see `expert merge`)' if tuned else "one"
        raise BadSetting(f"{endpoint.url} serves {names}; expected {wanted}. Name it with --endpoint-model.")
    return fitting[0]


def connect(endpoint: Endpoint, settings: ModelSettings, tuned: bool, integers: bool = False) -> EndpointVlm:
    """Return a model on one server. tuned: EXPERT's; integers: it is asked for whole numbers, in its own template.

    Raises ModelUnavailable where nothing answers, BadSetting where what answers is not what was asked for.
    """
    server = ModelServer(endpoint, IMPATIENT)
    served = look(server)
    server.patience = Patience()
    model = pick(served, endpoint, tuned)
    template = "chat" if integers or settings.options.get("template") == "chat" else "llava_v1"
    dialect = Dialect(
        str(model["id"]),
        cast(Literal["llava_v1", "chat"], template),
        "integers" if integers else "exact",
        () if integers else digit_ids(server, str(model["id"])),
        side=side_of(settings.options.get("side", "")),
        doubled_end=settings.strict_reference,
    )
    dialect, probed = probe(server, dialect, PROBE)
    if endpoint.tokens_per_min is not None and used_tokens(probed) is None:
        raise BadSetting(f"{server.url} does not say how many tokens a request takes: leave --tokens-per-min out.")
    server.remember(dialect.model)
    tokens: str | None = "server"
    if template == "llava_v1":
        dialect, tokens = match_tokens(server, dialect, probed)
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
        "temperature": None if dialect.greedy else "default",
        "template": "chat" if template == "chat" else ("llava_v1" if probed.get("prompt_text") else "untold"),
        "pixels": f"pad{dialect.side}-webp" if template == "llava_v1" else f"longest{LONGEST_SIDE}-webp",
        "tokens": tokens,
        "gaps": "yes" if any(dialect.gaps) else None,
    }
    return EndpointVlm(server, dialect, facts, identity, facts | _earlier(model))


def _earlier(model: Mapping[str, Any]) -> dict[str, str | None]:
    """Return what earlier versions signed of a listed model: names as they were, folders too."""
    name, root = str(model["id"]), model.get("root")
    return {
        "model": name,
        "root": None if root in (None, name) else str(root),
        "revision": None,
        "fingerprint": None,
        "adapter": name if model.get("parent") else None,
    }


def side_of(text: str) -> int:
    """Return the side, in px, of the square that a served LLaVA sees. Raises BadSetting."""
    if text and not (text.isascii() and text.isdigit() and 0 < int(text) <= 4096):
        raise BadSetting(f"expected side to be px from 1 to 4096, found {text!r}.")
    return int(text) if text else LLAVA_SIDE


def tokenize(server: ModelServer, model: str, text: str) -> list[int] | None:
    """Return the tokens of a text, nothing added; None where the server does not tell."""
    body = {"model": model, "prompt": text, "add_special_tokens": False}
    try:
        return [int(token) for token in server.post(f"{server.root}/tokenize", body)["tokens"]]
    except (NoScore, ModelUnavailable, KeyError, TypeError, ValueError):
        return None


def digit_ids(server: ModelServer, model: str) -> tuple[int, ...]:
    """Return the tokens of "0" to "9"; () where the server does not tell. Raises BadSetting unless they are single."""
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
    """Compare text and tokens of the probe with ours; returns how to ask so that they agree, and what to sign.

    The published code tokenises the text before and after the picture apart, so that each part begins like a text of
    its own. Most servers tokenise it whole, marks included; a space behind a mark makes that the same.
    Nothing is signed where tokens agree, "server" with a hash where they do not, "untold" where the server does not
    tell. Raises BadSetting for another text.
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
    """The tokens of the probe's text."""

    ids: list[int]  # with one for the picture
    image: int  # the picture's


def published_tokens(server: ModelServer, dialect: Dialect) -> ProbeTokens | None:
    """Return the tokens of the probe as the published code makes them; None where the server does not tell."""
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
            f"The server puts another prompt to the model than ours: expected {ours!r}, found {theirs!r}. Start it "
            "with --chat-template assets/llava_v1.jinja, or take its own with --option template=chat."
        )


def _with_one(image: int, tokens: Sequence[int]) -> list[int]:
    """Return tokens with one for the picture, of which a server may show one or hundreds."""
    return [token for place, token in enumerate(tokens) if token != image or place == 0 or tokens[place - 1] != image]
