"""A vision-language model on a server, made to answer as it would on this computer.

When Capscope connects, it asks the server for the token ids of the ten digits, and sends a test question. It compares
the text and tokens of the test prompt with those of the published code. The signature names every remaining difference.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from PIL import Image

from core.costs import summed, timed
from core.errors import BadSetting, ModelChanged, ModelUnavailable, NoScore
from core.models import Endpoint, ModelSettings
from core.models.vlm.llava_v1 import IMAGE, Turn, llava_v1
from core.models.vlm.protocol import Chat, Facts, Reply
from core.models.vlm.served_chat import (
    LLAVA_SIDE,
    LONGEST_SIDE,
    MEAN,
    TOP,
    Dialect,
    picture_url,
    reply_of,
    request,
    steps_of,
    text_of,
    usage_of,
    was_cut,
)
from core.models.vlm.server import ModelServer, Patience, listed
from core.score_reading.score_text import score_is_complete

PATIENCE, QUICK = Patience(), Patience(total_s=3.0)  # QUICK: to find out whether any server answers
# Control tokens of common tokenizers. A server's own tokens are unknown, so captions must contain none of these.
CONTROL_TEXTS = frozenset(
    {"<s>", "</s>", "<unk>", "<pad>", "<image>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>"}
    | {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|vision_start|>", "<|image_pad|>"}
    | {"<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "[INST]", "[/INST]", "[IMG]"}
)
FINE_TUNED = "expert"  # text that the server's name for EXPERT's fine-tuned model contains
BEGIN = "<s>"
PROBE: tuple[Turn, ...] = (("Is this picture grey?", "0.5"), ("Score:", None))
GAPS = (("", ""), (" ", " "), ("", " "), (" ", ""))  # (text after the begin mark, text after the picture)
EVERY_PAIR = "\n".join(f"0.{first}{second}" for first in range(10) for second in range(10))
RECENT = 32  # maximum number of encoded pictures in memory
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
    recent: dict[bytes, str] = field(
        default_factory=dict
    )  # encoded pictures, because a picture's captions are adjacent

    control_texts = CONTROL_TEXTS

    def answers(self, chats: Sequence[Chat], scored: bool) -> list[Reply | NoScore]:
        """Return the model's answers. See core.models.vlm.protocol.Vlm.

        If an answer ended before its score was complete, it is requested again with more tokens.
        """
        with timed("picture"):
            pictures = {id(chat.image): self._picture(chat.image) for chat in chats}
        urls = [pictures[id(chat.image)] for chat in chats]
        given = self._sent(
            [request(self.dialect, chat.turns, url, scored) for chat, url in zip(chats, urls, strict=True)]
        )
        replies = [self._reply(answer, scored) for answer in given]
        short = [row for row, answer in enumerate(given) if scored and _is_unfinished(answer)]
        longer = [request(self.dialect, chats[row].turns, urls[row], True, self.dialect.max_tokens) for row in short]
        for row, answer in zip(short, self._sent(longer), strict=True):
            reply = self._reply(answer, scored)
            if isinstance(reply, Reply):
                reply = replace(reply, usage=summed([usage_of(given[row]), reply.usage]))
            replies[row] = reply
        return replies

    def _picture(self, image: Image.Image) -> str:
        key = hashlib.sha256(b"%d %d " % image.size + image.tobytes()).digest()
        if key not in self.recent:
            self.recent[key] = picture_url(image, self.dialect)
            while len(self.recent) > RECENT:
                self.recent.pop(next(iter(self.recent)), None)
        return self.recent.get(key) or picture_url(image, self.dialect)

    def _sent(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        answers = self.server.chat(bodies) if bodies else []
        for answer in answers:
            now = _named(answer)
            if now is not None and self.named is not None and now != self.named:
                raise ModelChanged(f"{self.server.url} answers with another model. Before: {self.named}. Now: {now}.")
        return answers

    def _reply(self, answer: Any, scored: bool) -> Reply | NoScore:
        if isinstance(answer, NoScore):
            return answer
        try:
            return (
                reply_of(answer, self.dialect) if scored else Reply((text_of(answer).strip(),), usage=usage_of(answer))
            )
        except ValueError as error:
            return NoScore("refused", f"The server's answer cannot be read: {error}.", usage_of(answer))


def _is_unfinished(answer: Any) -> bool:
    """Return whether the answer ended before its score was complete, so more tokens could help."""
    if isinstance(answer, NoScore):
        return False
    try:
        return was_cut(answer) and not score_is_complete(text_of(answer))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return False


def _named(answer: Any) -> str | None:
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
    """Return the model that the endpoint names, or the server's only suitable model.

    tuned: whether EXPERT's fine-tuned model is wanted, whose name contains "expert". Raises BadSetting.
    """
    names = ", ".join(name for name, _, _ in models) or "none"
    if endpoint.model is not None:
        fitting = [model for model in models if model[0] == endpoint.model]
        if not fitting:
            raise BadSetting(f"{endpoint.url} serves no model {endpoint.model!r}; it serves: {names}.")
        return fitting[0]
    fitting = [model for model in models if (FINE_TUNED in model[0].lower()) == tuned]
    if len(fitting) != 1:
        wanted = 'a model with "expert" in its name (see `train merge`)' if tuned else "one"
        raise BadSetting(f"{endpoint.url} serves {names}; expected {wanted}. Name it with --model.")
    return fitting[0]


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
    ids = () if judge else digit_ids(server, name)
    side = side_of(settings.options.get("side", ""))
    dialect = Dialect(name, template, ids, side, doubled_end=settings.strict_reference)
    dialect, probed = probe(server, dialect)
    tokens: str | None = "server"
    if template == "llava_v1":
        dialect, tokens = match_tokens(server, dialect, probed)
    server.seen = models
    named, (shown, revision), (shown_root, of_root) = _named(probed), public_name(name), public_name(root or name)
    facts: Facts = {
        "engine": engine,
        "model": named or shown,
        "root": None if shown_root in (named, shown) else shown_root,
        "revision": of_root or revision,
        "adapter": shown if parent else None,
        "digits": dialect.digits,
        "template": template if template == "chat" or probed.get("prompt_text") else "untold",
        "pixels": f"pad{side}-webp" if template == "llava_v1" else f"longest{LONGEST_SIDE}-webp",
        "tokens": tokens,
        "gaps": "yes" if any(dialect.gaps) else None,
    }
    return ServedVlm(server, dialect, facts, named)


def probe(server: ModelServer, dialect: Dialect) -> tuple[Dialect, Mapping[str, Any]]:
    """Send a test question about a grey picture.

    Returns the format of all further requests, and the server's answer. Raises BadSetting.
    """
    problems: list[str] = []
    for way in [dialect, replace(dialect, digit_ids=())] if dialect.digit_ids else [dialect]:
        answer = asked(server, way)
        try:
            reported = [] if isinstance(answer, NoScore) else steps_of(answer)
        except ValueError as error:
            answer, reported = NoScore("refused", str(error)), []
        if reported and all(digit in step.by_id for step in reported for digit in way.digit_ids):
            fewest = TOP if way.digit_ids else min(step.reported for step in reported)
            if fewest >= TOP:
                return way, answer
            problems.append(f"it returns {fewest} probabilities per token instead of {TOP}")
        else:
            problems.append(str(answer) if isinstance(answer, NoScore) else "it returns no probabilities of digits")
    raise BadSetting(f"The model {dialect.model} at {server.url} cannot be used: {'; '.join(dict.fromkeys(problems))}.")


def asked(server: ModelServer, dialect: Dialect) -> Any:
    """Return the answer to the test question, or a NoScore if the server refuses it."""
    picture = picture_url(Image.new("RGB", (32, 32), MEAN), dialect)
    body = request(dialect, PROBE, picture, scored=True, max_tokens=2)
    if dialect.template == "llava_v1":
        body |= {"return_prompt_text": True, "return_token_ids": True}
    (answer,) = server.chat([body])
    return answer


def tokenize(server: ModelServer, model: str, text: str) -> list[int] | None:
    """Return the tokens of a text without special tokens; None if the server does not return tokens."""
    body = {"model": model, "prompt": text, "add_special_tokens": False}
    try:
        return [int(token) for token in server.post(f"{server.root}/tokenize", body)["tokens"]]
    except (NoScore, ModelUnavailable, KeyError, TypeError, ValueError):
        return None


def digit_ids(server: ModelServer, model: str) -> tuple[int, ...]:
    """Return the model's own tokens of "0" to "9"; () if the server returns none, or a digit is no single token."""
    encoded = [tokenize(server, model, str(digit)) for digit in range(10)]
    if not all(encoded):
        return ()
    ids = [tokens[-1] for tokens in encoded if tokens]
    written = [ids.index(token) for token in tokenize(server, model, EVERY_PAIR) or () if token in ids]
    single = len(set(ids)) == 10 and "".join(map(str, written)) == re.sub(r"\D", "", EVERY_PAIR)
    return tuple(ids) if single else ()


def match_tokens(server: ModelServer, dialect: Dialect, probed: Mapping[str, Any]) -> tuple[Dialect, str | None]:
    """Compare how the server and the published code tokenise the test prompt.

    Returns the format of requests in which the tokens agree, if there is one, and the signature's value for the tokens:
    None if they agree, "server" with a hash if they differ, "untold" if the server returns no tokens. Raises BadSetting
    if the server's text of the prompt differs.

    The published code tokenises the text before the picture and the text after it separately, each like a new text.
    Most servers tokenise the prompt as one text, with marks for its begin and for the picture. With a space after such
    a mark, both ways can give the same tokens.
    """
    _check_text(probed, dialect)
    before, after = llava_v1(PROBE, dialect.doubled_end).split(IMAGE, maxsplit=1)
    parts = [tokenize(server, dialect.model, text) or [] for text in (BEGIN, before, IMAGE, after)]
    if not probed.get("prompt_token_ids") or not all(parts):
        return dialect, "untold"
    begin, head, image, tail = parts
    wanted = [begin[-1], *head, image[-1], *tail]
    for gaps in GAPS:
        spaced = replace(dialect, gaps=gaps)
        answer = probed if gaps == dialect.gaps else asked(server, spaced)
        if isinstance(answer, NoScore) or not answer.get("prompt_token_ids"):
            continue
        _check_text(answer, spaced)
        if _with_one(image[-1], answer["prompt_token_ids"]) == wanted:
            return spaced, None
    ids = ",".join(map(str, _with_one(image[-1], probed["prompt_token_ids"])))
    return dialect, f"server-{hashlib.sha256(ids.encode()).hexdigest()[:8]}"


def _check_text(probed: Mapping[str, Any], dialect: Dialect) -> None:
    text = probed.get("prompt_text")
    begin, image = dialect.gaps
    ours = BEGIN + begin + llava_v1(PROBE, dialect.doubled_end).replace(IMAGE, IMAGE + image)
    theirs = ours if text is None else re.sub(rf"(?:{IMAGE})+", IMAGE, text)
    if theirs != ours:
        raise BadSetting(
            f"The server builds another prompt than Capscope: {theirs!r} instead of {ours!r}. Start the server with "
            "--chat-template assets/llava_v1.jinja, or use the server's own template with --option template=chat."
        )


def _with_one(image: int, tokens: Sequence[int]) -> list[int]:
    """Return the tokens with one picture token. Some servers return one for the picture, others hundreds."""
    return [token for place, token in enumerate(tokens) if token != image or place == 0 or tokens[place - 1] != image]


def side_of(text: str) -> int:
    """Return the side length, in px, of the square picture that a LLaVA on a server gets. Raises BadSetting."""
    if text and not (text.isascii() and text.isdigit() and 0 < int(text) <= 4096):
        raise BadSetting(f"The option side must be a number of pixels from 1 to 4096, found {text!r}.")
    return int(text) if text else LLAVA_SIDE


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
