"""A vision-language model on a server, made to answer as it would on this computer.

When Capscope connects, it asks for the token ids of the ten digits, and sends a test question. It compares the text and
tokens of the test prompt with those of the published code. The signature names every remaining difference.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from PIL import Image

from core.costs import summed, timed
from core.errors import BadSetting, ModelChanged, ModelUnavailable, NoScore
from core.models import Endpoint, ModelSettings
from core.models.model_server import ModelServer, Patience, listed
from core.models.served_chat import (
    LLAVA_SIDE,
    LONGEST_SIDE,
    MEAN,
    TOP,
    Dialect,
    reply_of,
    steps_of,
    text_of,
    usage_of,
)
from core.models.vlm import IMAGE, Chat, Facts, Reply, Turn, llava_v1
from core.score_reading.score_text import score_is_complete

PATIENCE, QUICK = Patience(), Patience(total_s=3.0)  # QUICK: to find out whether any server answers
# Control tokens of common tokenizers. A server's own tokens are unknown, so captions must contain none of these.
CONTROL_TEXTS = frozenset(
    {"<s>", "</s>", "<unk>", "<pad>", "<image>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>"}
    | {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|vision_start|>", "<|image_pad|>"}
    | {"<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "[INST]", "[/INST]", "[IMG]"}
)
SCORE_TOKENS = 16  # maximum tokens of a score
FINE_TUNED = "expert"  # text that the server's name for EXPERT's fine-tuned model contains
BEGIN = "<s>"
PROBE: tuple[Turn, ...] = (("Is this picture grey?", "0.5"), ("Score:", None))
GAPS = (("", ""), (" ", " "), ("", " "), (" ", ""))  # (text after the begin mark, text after the picture)
EVERY_PAIR = "\n".join(f"0.{first}{second}" for first in range(10) for second in range(10))
LONGEST_NAME = 100  # maximum characters of a name in a signature
_CACHED = re.compile(r"models--([^/]+?)--([^/]+)/snapshots/([0-9a-f]{7,64})(?:/|$)")
_PATH = re.compile(r"[/~.]|[A-Za-z]:/|[a-z][a-z0-9+]*://", re.ASCII)


@dataclass(eq=False)
class ServedVlm:
    """A model on a server, ready for conversations."""

    server: ModelServer
    dialect: Dialect
    facts: Facts
    named: str | None = None  # the model that all answers must name; None: the server names none

    control_texts = CONTROL_TEXTS

    def answers(self, chats: Sequence[Chat], scored: bool) -> list[Reply | NoScore]:
        """Return the model's answers. See core.models.vlm.Vlm.

        If an answer ended before its score was complete, it is requested again with more tokens.
        """
        most = self.dialect.max_tokens
        given = self._sent(chats, scored, min(SCORE_TOKENS, most) if scored else most)
        short = [row for row, (answer, reply) in enumerate(given) if scored and _is_unfinished(answer, reply)]
        for row, (_, reply) in zip(short, self._sent([chats[row] for row in short], True, most), strict=True):
            if isinstance(reply, Reply):
                reply = replace(reply, usage=summed([usage_of(given[row][0]), reply.usage]))
            given[row] = None, reply
        return [reply for _, reply in given]

    def _sent(self, chats: Sequence[Chat], scored: bool, tokens: int) -> list[tuple[Any, Reply | NoScore]]:
        with timed("picture"):
            bodies = [self.dialect.request(chat.turns, chat.image, scored, tokens) for chat in chats]
        answers = self.server.chat(bodies) if bodies else []
        for now in filter(None, map(model_of, answers)):
            if self.named is not None and now != self.named:
                raise ModelChanged(f"{self.server.url} answers with another model. Before: {self.named}. Now: {now}.")
        return [(answer, self._reply(answer, scored)) for answer in answers]

    def _reply(self, answer: Any, scored: bool) -> Reply | NoScore:
        if isinstance(answer, NoScore):
            return answer
        try:
            return (
                reply_of(answer, self.dialect) if scored else Reply((text_of(answer).strip(),), usage=usage_of(answer))
            )
        except ValueError as error:
            return NoScore("refused", f"The server's answer cannot be read: {error}.", usage_of(answer))


def _is_unfinished(answer: Any, reply: Reply | NoScore) -> bool:
    """Return whether the token limit ended an answer before its score was complete."""
    return (
        isinstance(reply, Reply)
        and answer["choices"][0].get("finish_reason") == "length"
        and not score_is_complete(reply.text)
    )


def model_of(answer: Any) -> str | None:
    """Return the model that an answer names, without private folders."""
    model = answer.get("model") if isinstance(answer, Mapping) else None
    return public_name(model)[0] if isinstance(model, str) and model.strip() else None


def look(server: ModelServer) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the server's engine with its version, and (id, root, parent) of its models. Raises ModelUnavailable."""
    try:
        models = listed(server.get(f"{server.url}/models"))
    except NoScore as error:
        raise ModelUnavailable(f"{server.url} does not list its models as OpenAI's API does: {error}") from error
    try:
        return f"vllm-{server.get(f'{server.root}/version')['version']}", models
    except (NoScore, ModelUnavailable, KeyError, TypeError):
        return "openai", models


def serves(endpoint: Endpoint) -> str:
    """Return a text that lists the models on a server. Raises ModelUnavailable if the server does not answer."""
    engine, models = look(ModelServer(endpoint, QUICK))
    return f"{engine} with {', '.join(name for name, _, _ in models) or 'no model'}"


def pick(models: Sequence[tuple[str, str, str]], endpoint: Endpoint, tuned: bool) -> tuple[str, str, str]:
    """Return the model that the endpoint names, or the server's only suitable model. Raises BadSetting.

    tuned: whether EXPERT's fine-tuned model is wanted, whose name contains "expert".
    """
    names = ", ".join(name for name, _, _ in models) or "none"
    if endpoint.model is not None:
        for model in models:
            if model[0] == endpoint.model:
                return model
        raise BadSetting(f"{endpoint.url} serves no model {endpoint.model!r}; it serves: {names}.")
    fitting = [model for model in models if (FINE_TUNED in model[0].lower()) == tuned]
    if len(fitting) == 1:
        return fitting[0]
    wanted = 'a model with "expert" in its name (see `train merge`)' if tuned else "one"
    raise BadSetting(f"{endpoint.url} serves {names}; expected {wanted}. Name it with --model.")


def connect(endpoint: Endpoint, settings: ModelSettings, tuned: bool = False, judge: bool = False) -> ServedVlm:
    """Return a model on a server.

    tuned: whether EXPERT's fine-tuned model is wanted. judge: read the likeliest tokens, as general judges do, with the
    model's own template. Raises ModelUnavailable if the server does not answer. Raises BadSetting if its model is
    another one, or returns no probabilities.
    """
    server = ModelServer(endpoint, QUICK)
    engine, models = look(server)
    server.patience = PATIENCE
    name, root, parent = pick(models, replace(endpoint, model=settings.model or endpoint.model), tuned)
    template = "chat" if judge or settings.options.get("template") == "chat" else "llava_v1"
    side = settings.options.get("side") or str(LLAVA_SIDE)
    if not (side.isascii() and side.isdigit() and 0 < int(side) <= 4096):
        raise BadSetting(f"The option side must be a number of pixels from 1 to 4096, found {side!r}.")
    ids = () if judge else digit_ids(server, name)
    dialect = Dialect(name, template, ids, int(side), doubled_end=settings.strict_reference)
    dialect, probed = probe(server, dialect)
    tokens: str | None = "server"
    if template == "llava_v1":
        dialect, tokens = match_tokens(server, dialect, probed)
    server.seen = models
    named, (shown, revision), (shown_root, of_root) = model_of(probed), public_name(name), public_name(root or name)
    facts: Facts = {
        "engine": engine,
        "model": named or shown,
        "root": None if shown_root in (named, shown) else shown_root,
        "revision": of_root or revision,
        "adapter": shown if parent else None,
        "digits": "exact" if dialect.digit_ids else f"top{TOP}",
        "template": template if template == "chat" or probed.get("prompt_text") else "untold",
        "pixels": f"pad{side}-webp" if template == "llava_v1" else f"longest{LONGEST_SIDE}-webp",
        "tokens": tokens,
        "gaps": "yes" if any(dialect.gaps) else None,
    }
    return ServedVlm(server, dialect, facts, named)


def probe(server: ModelServer, dialect: Dialect) -> tuple[Dialect, Mapping[str, Any]]:
    """Send a test question. Return the format of all further requests, and the answer. Raises BadSetting."""
    problems: list[str] = []
    for way in [dialect, replace(dialect, digit_ids=())] if dialect.digit_ids else [dialect]:
        answer = asked(server, way)
        try:
            steps = [] if isinstance(answer, NoScore) else steps_of(answer)
        except ValueError as error:
            answer, steps = NoScore("refused", str(error)), []
        fewest = min((step.reported for step in steps), default=0)
        if steps and all(digit in step.by_id for step in steps for digit in way.digit_ids):
            if way.digit_ids or fewest >= TOP:
                return way, answer
            problems.append(f"it returns {fewest} probabilities per token instead of {TOP}")
        else:
            problems.append(str(answer) if isinstance(answer, NoScore) else "it returns no probabilities of digits")
    raise BadSetting(f"The model {dialect.model} at {server.url} cannot be used: {'; '.join(dict.fromkeys(problems))}.")


def asked(server: ModelServer, dialect: Dialect) -> Any:
    """Return the answer to the test question about a grey picture, or a NoScore if the server refuses it."""
    body = dialect.request(PROBE, Image.new("RGB", (32, 32), MEAN), scored=True, max_tokens=2)
    if dialect.template == "llava_v1":
        body |= {"return_prompt_text": True, "return_token_ids": True}
    (answer,) = server.chat([body])
    return answer


def tokenize(server: ModelServer, model: str, text: str) -> list[int]:
    """Return the tokens of a text without special tokens; [] if the server does not return tokens."""
    body = {"model": model, "prompt": text, "add_special_tokens": False}
    try:
        return [int(token) for token in server.post(f"{server.root}/tokenize", body)["tokens"]]
    except (NoScore, ModelUnavailable, KeyError, TypeError, ValueError):
        return []


def digit_ids(server: ModelServer, model: str) -> tuple[int, ...]:
    """Return the model's own tokens of "0" to "9"; () if the server returns none, or a digit is no single token."""
    encoded = [tokenize(server, model, str(digit)) for digit in range(10)]
    if not all(encoded):
        return ()
    ids = [tokens[-1] for tokens in encoded]
    written = [ids.index(token) for token in tokenize(server, model, EVERY_PAIR) if token in ids]
    single = len(set(ids)) == 10 and "".join(map(str, written)) == re.sub(r"\D", "", EVERY_PAIR)
    return tuple(ids) if single else ()


def match_tokens(server: ModelServer, dialect: Dialect, probed: Mapping[str, Any]) -> tuple[Dialect, str | None]:
    """Return the format of requests whose tokens are those of the published code, and the signature's value for them.

    The value is None if the tokens agree, "server" with a hash if no format makes them agree, "untold" if the server
    returns no tokens. The published code tokenises the text before the picture and the text after it separately, each
    like a new text. Most servers tokenise the prompt as one text, with marks for its begin and for the picture. With a
    space after such a mark, both ways can give the same tokens. Raises BadSetting if the server's prompt differs.
    """
    before, after = llava_v1(PROBE, dialect.doubled_end).split(IMAGE, maxsplit=1)
    parts = [tokenize(server, dialect.model, text) for text in (BEGIN, before, IMAGE, after)]
    seen: list[list[int]] = []
    for gaps in GAPS:
        spaced = replace(dialect, gaps=gaps)
        answer = probed if gaps == dialect.gaps else asked(server, spaced)
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
            return dialect, "untold"
        begin, head, image, tail = parts
        tokens = answer["prompt_token_ids"]  # some servers return one token for the picture, others hundreds
        seen.append([one for n, one in enumerate(tokens) if one != image[-1] or n == 0 or tokens[n - 1] != one])
        if seen[-1] == [begin[-1], *head, image[-1], *tail]:
            return spaced, None
    return dialect, f"server-{hashlib.sha256(','.join(map(str, seen[0])).encode()).hexdigest()[:8]}"


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
