"""A model server that takes its time and always answers the same: python -m tests.benchmarks.slow_model PORT S."""

import asyncio
import json
import math
import sys
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

DIGITS = {str(digit): 10 + digit for digit in range(10)}  # tokens
ANSWER = "0.75"


def app(delay_s: float) -> Starlette:
    """Return the server."""
    step = [{"token": f"token_id:{token}", "logprob": math.log(0.1), "bytes": []} for token in DIGITS.values()]
    steps = [
        {"token": "token_id:1", "bytes": list(letter.encode()), "logprob": -0.1, "top_logprobs": step}
        for letter in ANSWER
    ]
    choice = {"message": {"content": ANSWER}, "finish_reason": "stop", "logprobs": {"content": steps}}
    said = json.dumps({"choices": [choice]}).encode()

    async def chat(request: Request) -> Response:
        await request.body()
        await asyncio.sleep(delay_s)
        return Response(said, media_type="application/json")

    async def tokenize(request: Request) -> Response:
        text = (await request.json())["prompt"]
        return JSONResponse({"tokens": [DIGITS.get(letter, 1) for letter in text]})

    async def models(request: Request) -> Response:
        return JSONResponse({"data": [{"id": "slow"}]})

    async def page(request: Request) -> Response:
        return Response("ready")

    routes: list[Any] = [
        Route("/", page),
        Route("/v1/models", models),
        Route("/tokenize", tokenize, methods=["POST"]),
        Route("/v1/chat/completions", chat, methods=["POST"]),
    ]
    return Starlette(routes=routes)


if __name__ == "__main__":
    uvicorn.run(app(float(sys.argv[2])), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
