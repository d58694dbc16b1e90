"""A LLaVA behind HTTP, in the shape of vLLM's answers: the toy of these tests, or any other that LocalVlm holds.

It decodes on its own, token by token, and knows nothing of the client's code but the model's.
"""

import base64
import io
import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = (ROOT / "assets" / "llava_v1.jinja").read_text()
Question = tuple[str, str, tuple[tuple[str, str | None], ...], int]  # picture, prompt, turns, maximum of tokens
Decoded = tuple[list[int], list[tuple[int, Any]]]  # see ServedLlava.decoded
Answer = Callable[[Mapping[str, Any]], Response | None]  # what is answered instead; None: nothing


def served_llava(folder: Path) -> "ServedLlava":
    """Return a server of the model in a folder, which is loaded once in a process and asked each question once."""
    vlm, lock, known = _loaded(folder)
    return ServedLlava(vlm, lock=lock, known=known)


@cache
def _loaded(folder: Path) -> tuple[Any, threading.Lock, dict[Question, Decoded]]:
    from core.models import ModelSettings
    from core.models.llava import build_vlm
    from core.models.weights import find_weights

    vlm = build_vlm(find_weights(str(folder), "FLEUR"), None, ModelSettings(device="cpu"))
    return vlm, threading.Lock(), {}


@dataclass
class ServedLlava:
    """What the server serves, and how it misbehaves."""

    vlm: Any  # a LocalVlm
    name: str = "llava"
    template: str = TEMPLATE
    knows_token_ids: bool = True  # an old one ignores logprob_token_ids and the fields that return the prompt
    instead: Answer = lambda body: None
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    delay_s: float = 0.0
    root: str = "/models/llava"  # the folder that it says it has loaded
    tells: Mapping[str, Any] = field(default_factory=dict)  # further fields of each answer
    lock: threading.Lock = field(default_factory=threading.Lock)
    known: dict[Question, Decoded] = field(default_factory=dict)  # the model gives the same answer each time

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.get("/version")
        def version() -> dict[str, str]:
            return {"version": "0.0.0"}

        @app.get("/v1/models")
        def models() -> dict[str, Any]:
            return {"object": "list", "data": [{"id": self.name, "object": "model", "root": self.root}]}

        @app.post("/tokenize")
        async def tokenize(request: Request) -> dict[str, Any]:
            body = await request.json()
            tokens = self.vlm.tokenizer.encode(body["prompt"], add_special_tokens=body["add_special_tokens"])
            return {"tokens": tokens, "count": len(tokens)}

        @app.post("/v1/chat/completions")
        def chat(body: dict[str, Any]) -> Response:
            self.asked.append(body)
            answer = self.instead(body)
            time.sleep(self.delay_s)  # as long as a real one takes, where a benchmark says so
            return answer or JSONResponse(self.answer(body))

        return app

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return what vLLM would answer."""
        text, turns = self.rendered(body), parsed(body["messages"])
        picture = body["messages"][0]["content"][0]["image_url"]["url"]
        question = (picture, text, tuple(turns), body["max_tokens"])
        with self.lock:
            if question not in self.known:
                image = Image.open(io.BytesIO(base64.b64decode(picture.partition(",")[2])))
                self.known[question] = self.decoded(image, turns, body)
            ids, steps = self.known[question]
        ended = steps and steps[-1][0] in self.vlm.ends
        said = self.vlm.text([token for token, _ in steps])
        choice: dict[str, Any] = {
            "index": 0,
            "message": {"role": "assistant", "content": said},
            "finish_reason": "stop" if ended else "length",
        }
        if body.get("logprobs"):
            choice["logprobs"] = {"content": [self.told(token, logs, body) for token, logs in steps]}
        answer: dict[str, Any] = {"object": "chat.completion", "model": self.name, "choices": [choice]}
        answer["usage"] = {"prompt_tokens": len(ids), "completion_tokens": len(steps)}
        if self.knows_token_ids and body.get("return_prompt_text"):
            answer |= {"prompt_text": text, "prompt_token_ids": ids}
        return answer | dict(self.tells)

    def rendered(self, body: Mapping[str, Any]) -> str:
        """Return the prompt's text, by the server's template over messages in vLLM's string form."""
        said = [{"role": one["role"], "content": as_text(one["content"])} for one in body["messages"]]
        tokenizer = self.vlm.tokenizer
        extra = body.get("chat_template_kwargs", {})
        return str(tokenizer.apply_chat_template(said, chat_template=self.template, tokenize=False, **extra))

    def decoded(self, image: Image.Image, turns: Sequence[tuple[str, str | None]], body: Mapping[str, Any]) -> Decoded:
        """Return the prompt's tokens, and every token with the logarithms of all probabilities at its step."""
        import torch

        from core.models.vlm import pixel_values

        vlm, steps = self.vlm, list[tuple[int, Any]]()
        config, prepared = vlm.model.config, vlm.processor.image_processor
        side, patch = config.vision_config.image_size, config.vision_config.patch_size
        ids = vlm.encode(turns, (side // patch) ** 2)
        pixels = pixel_values(image, side, prepared.image_mean, prepared.image_std)
        given: dict[str, Any] = {"input_ids": torch.tensor([ids]), "pixel_values": torch.from_numpy(pixels)[None]}
        with torch.inference_mode():
            while len(steps) < body["max_tokens"]:
                output = vlm.model(**given, use_cache=True)
                logs = output.logits[0, -1].float().log_softmax(dim=-1)
                token = int(logs.argmax())
                steps.append((token, logs))
                if token in vlm.ends:
                    break
                given = {"input_ids": torch.tensor([[token]]), "past_key_values": output.past_key_values}
        return ids, steps

    def told(self, token: int, logs: Any, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return one token's entry."""
        asked = body.get("logprob_token_ids") if self.knows_token_ids else None
        ids = [*asked] if asked else logs.topk(body.get("top_logprobs") or 1).indices.tolist()
        by_id = body.get("return_tokens_as_token_ids")

        def named(one: int) -> dict[str, Any]:
            text = f"token_id:{one}" if by_id else self.vlm.tokenizer.decode([one])
            return {"token": text, "logprob": max(float(logs[one]), -9999.0), "bytes": list(text.encode())}

        text = self.vlm.tokenizer.decode([token])
        shown = [named(one) for one in (ids if body.get("top_logprobs") or asked else [])]
        return {**named(token), "bytes": list(text.encode()), "top_logprobs": shown}


def as_text(content: Any) -> str:
    """Return a message's content as vLLM gives it to a template that takes strings."""
    if isinstance(content, str):
        return content
    return "\n".join("<image>" if part["type"] == "image_url" else part["text"] for part in content)


def parsed(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, str | None]]:
    """Return messages as turns, without the picture."""
    turns: list[tuple[str, str | None]] = []
    for message in messages:
        text = as_text(message["content"]).removeprefix("<image>\n")
        if message["role"] == "user":
            turns.append((text, None))
        else:
            turns[-1] = (turns[-1][0], text)
    return turns


@contextmanager
def serving(app: FastAPI, port: int = 0, **tls: Path) -> Iterator[str]:
    """Serve in a thread; yields the address of the API. tls: files for uvicorn."""
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_level="critical", lifespan="off", **tls))  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.005)
    number = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{number}/v1"
    finally:
        server.should_exit = True
        thread.join(10)


def refusal(status: int, message: str, **headers: str) -> Response:
    """Return an error in OpenAI's form."""
    return Response(json.dumps({"error": {"message": message}}), status, headers, "application/json")


def cut(answer: Mapping[str, Any]) -> Response:
    """Return an answer of which half is missing."""
    text = json.dumps(answer)
    return Response(text[: math.ceil(len(text) / 2)], media_type="application/json")
