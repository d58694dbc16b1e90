"""Connect to a model server: choose its model, and find out how it must be asked.

Capscope asks for the token ids of the ten digits, and sends a test question. It compares the text and tokens of the
test prompt with those of the published code. The signature names every remaining difference.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from PIL import Image

from core.errors import BadSetting, ModelUnavailable, NoScore
from core.models import Endpoint, ModelSettings
from core.models.served import (
    LLAVA_SIDE,
    PATIENCE_S,
    TOP,
    ModelServer,
    ServedVlm,
    entries_of,
    listed,
    reply_of,
    top_of,
)
from core.models.vlm import IMAGE, LONGEST_SIDE, MEAN, Chat, Facts, digit_ids, llava_v1

QUICK_S = 3.0  # maximum wait to find out whether any server answers
FINE_TUNED = "expert"  # text that the server's name for EXPERT's fine-tuned model contains
BEGIN = "<s>"
PROBE = Chat(Image.new("RGB", (32, 32), MEAN), (("Is this picture grey?", "0.5"), ("Score:", None)))
GAPS = (("", ""), (" ", " "), ("", " "), (" ", ""))  # (text after the begin mark, text after the picture)
LONGEST_NAME = 100  # maximum characters of a name in a signature
_CACHED = re.compile(r"models--([^/]+?)--([^/]+)/snapshots/([0-9a-f]{7,64})(?:/|$)")
_PATH = re.compile(r"[/~.]|[A-Za-z]:/|[a-z][a-z0-9+]*://", re.ASCII)


def connect(endpoint: Endpoint, settings: ModelSettings, tuned: bool = False, judge: bool = False) -> ServedVlm:
    """Return a model on a server.

    tuned: whether EXPERT's fine-tuned model is wanted. judge: read the likeliest tokens, as general judges do, with the
    model's own template. Raises ModelUnavailable if the server does not answer. Raises BadSetting if its model is
    another one, or returns no probabilities.
    """
    server = ModelServer(endpoint, QUICK_S)
    engine, models = look(server)
    server.patience_s = PATIENCE_S
    name, root, parent = pick(models, replace(endpoint, model=settings.model or endpoint.model), tuned)
    template = "chat" if judge or settings.options.get("template") == "chat" else "llava_v1"
    side = settings.options.get("side") or str(LLAVA_SIDE)
    if not (side.isascii() and side.isdigit() and 0 < int(side) <= 4096):
        raise BadSetting(f"The option side must be a number of pixels from 1 to 4096, found {side!r}.")
    ids = () if judge else digit_ids(partial(tokenize, server, name))
    vlm, probed = probe(ServedVlm(server, name, template, ids, int(side), doubled_end=settings.strict_reference))
    tokens: str | None = "server"
    if template == "llava_v1":
        vlm, tokens = match_tokens(vlm, probed)
    named = str(probed.get("model") or "").strip()
    (shown, revision), (shown_root, of_root) = public_name(name), public_name(root or name)
    model = public_name(named)[0] if named else shown
    facts: Facts = {
        "engine": engine,
        "model": model,
        "root": None if shown_root in (model, shown) else shown_root,
        "revision": of_root or revision,
        "adapter": shown if parent else None,
        "digits": "exact" if vlm.digit_ids else f"top{TOP}",
        "template": template if template == "chat" or probed.get("prompt_text") else "untold",
        "pixels": f"pad{side}-webp" if template == "llava_v1" else f"longest{LONGEST_SIDE}-webp",
        "tokens": tokens,
        "gaps": "yes" if any(vlm.gaps) else None,
    }
    return replace(vlm, facts=facts, named=named or None)


def look(server: ModelServer) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the server's engine with its version, and (id, root, parent) of its models. Raises ModelUnavailable."""
    models = server.json(f"{server.url}/models")
    if isinstance(models, NoScore):
        raise ModelUnavailable(f"{server.url} does not list its models as OpenAI's API does: {models}")
    try:
        return f"vllm-{server.json(f'{server.root}/version')['version']}", listed(models)
    except (ModelUnavailable, KeyError, TypeError):
        return "openai", listed(models)


def serves(endpoint: Endpoint) -> str:
    """Return a text that lists the models on a server. Raises ModelUnavailable if the server does not answer."""
    engine, models = look(ModelServer(endpoint, QUICK_S))
    return f"{engine} with {', '.join(name for name, _, _ in models) or 'no model'}"


def pick(models: Sequence[tuple[str, str, str]], endpoint: Endpoint, tuned: bool) -> tuple[str, str, str]:
    """Return the model that the endpoint names, or the server's only suitable model. Raises BadSetting.

    tuned: whether EXPERT's fine-tuned model is wanted, whose name contains "expert".
    """
    names, wanted = ", ".join(name for name, _, _ in models) or "none", endpoint.model
    fitting = [one for one in models if (one[0] == wanted if wanted else (FINE_TUNED in one[0].lower()) == tuned)]
    if wanted and not fitting:
        raise BadSetting(f"{endpoint.url} serves no model {wanted!r}; it serves: {names}.")
    if not wanted and len(fitting) != 1:
        kind = 'a model with "expert" in its name (see `train merge`)' if tuned else "one"
        raise BadSetting(f"{endpoint.url} serves {names}; expected {kind}. Name it with --model.")
    return fitting[0]


def probe(vlm: ServedVlm) -> tuple[ServedVlm, Mapping[str, Any]]:
    """Send a test question. Return the model, read in the way that works, and the answer. Raises BadSetting."""
    problems: list[str] = []
    for way in [vlm, replace(vlm, digit_ids=())] if vlm.digit_ids else [vlm]:
        answer = asked(way)
        reply = reply_of(answer, way.digit_ids, scored=True)
        if isinstance(reply, NoScore):
            problems.append(str(reply))
            continue
        fewest = min((len(top_of(entry)) for entry in entries_of(answer)), default=0)
        if way.digit_ids or fewest >= TOP:
            return way, answer
        problems.append(f"it returns {fewest} probabilities per token instead of {TOP}")
    raise BadSetting(f"The model {vlm.model} at {vlm.server.url} cannot be used: {'; '.join(dict.fromkeys(problems))}")


def asked(vlm: ServedVlm) -> Any:
    """Return the answer to the test question about a grey picture, or a NoScore if the server refuses it."""
    body = vlm.request(PROBE, scored=True, max_tokens=2)
    if vlm.template == "llava_v1":
        body |= {"return_prompt_text": True, "return_token_ids": True}
    return vlm.server.chat([body])[0]


def tokenize(server: ModelServer, model: str, text: str) -> list[int]:
    """Return the tokens of a text without special tokens; [] if the server does not return tokens."""
    body = {"model": model, "prompt": text, "add_special_tokens": False}
    try:
        return [int(token) for token in server.json(f"{server.root}/tokenize", body)["tokens"]]
    except (ModelUnavailable, KeyError, TypeError, ValueError):
        return []


def match_tokens(vlm: ServedVlm, probed: Mapping[str, Any]) -> tuple[ServedVlm, str | None]:
    """Return the model, asked so that its tokens are those of the published code, and the signature's value for them.

    The value is None if the tokens agree, "server" with a hash if no format makes them agree, "untold" if the server
    returns no tokens. The published code tokenises the text before the picture and the text after it separately, each
    like a new text. Most servers tokenise the prompt as one text, with marks for its begin and for the picture. With a
    space after such a mark, both ways can give the same tokens. Raises BadSetting if the server's prompt differs.
    """
    before, after = llava_v1(PROBE.turns, vlm.doubled_end).split(IMAGE, maxsplit=1)
    parts = [tokenize(vlm.server, vlm.model, text) for text in (BEGIN, before, IMAGE, after)]
    seen: list[list[int]] = []
    for gaps in GAPS:
        spaced = replace(vlm, gaps=gaps)
        answer = asked(spaced) if any(gaps) else probed
        if isinstance(answer, NoScore):
            continue
        ours = BEGIN + gaps[0] + before + IMAGE + gaps[1] + after
        theirs = re.sub(rf"(?:{IMAGE})+", IMAGE, answer.get("prompt_text") or ours)
        if theirs != ours:
            raise BadSetting(
                f"The server builds another prompt than Capscope: {theirs!r} instead of {ours!r}. Start the server "
                "with --chat-template assets/llava_v1.jinja, or use the server's own template with --option "
                "template=chat."
            )
        if not answer.get("prompt_token_ids") or not all(parts):
            return vlm, "untold"
        begin, head, image, tail = parts
        tokens = answer["prompt_token_ids"]  # some servers return one token for the picture, others hundreds
        seen.append([one for n, one in enumerate(tokens) if one != image[-1] or n == 0 or tokens[n - 1] != one])
        if seen[-1] == [begin[-1], *head, image[-1], *tail]:
            return spaced, None
    return vlm, f"server-{hashlib.sha256(','.join(map(str, seen[0])).encode()).hexdigest()[:8]}"


def public_name(name: str) -> tuple[str, str | None]:
    """Return a model's name without private folders, and its revision if the name contains one.

    A server may report its model's folder as the name. Folders are private and differ between machines. So a signature
    contains only the last part of the path. For the Hugging Face hub's cache, it contains repository and commit.
    """
    text = "".join(sign for sign in name if sign.isprintable()).replace("\\", "/").strip()
    cached = _CACHED.search(text)
    if cached is not None:
        return f"{cached[1]}/{cached[2]}"[:LONGEST_NAME], cached[3]
    shown = PurePosixPath(text).name if _PATH.match(text) else text
    return shown[:LONGEST_NAME] or "unnamed", None
