import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from fastapi.responses import JSONResponse, Response
from PIL import Image

from core.errors import BadSetting, Cancelled, ModelUnavailable, NoScore
from core.long_work.progress import reporting
from core.metrics import Metric
from core.metrics.expert import Expert, ExpertWithoutSft
from core.metrics.fleur import Fleur, RefFleur
from core.models import Endpoint, ModelSettings
from core.models.connecting import connect
from core.models.llava import LocalVlm
from core.models.served import ModelServer, ServedVlm
from core.types import EvaluationError, ImageRef, Outcome, Sample, Score
from tests.served_llava import ServedLlava, cut, refusal, serving
from tests.toy_llava import led

QUICK_S = 60.0
LIMIT = 24  # tokens an answer


@pytest.fixture
def local(toy: tuple[Any, Any]) -> Any:
    return LocalVlm(*toy, {"model": "toy"})


@pytest.fixture
def server(local: Any) -> ServedLlava:
    return ServedLlava(local)


@pytest.fixture
def url(server: ServedLlava) -> Iterator[str]:
    with serving(server.app()) as address:
        yield address


@pytest.fixture
def samples(tmp_path: Path) -> list[Sample]:
    random = np.random.default_rng(3)
    pictures = []
    for name, size in (("wide.png", (40, 24)), ("tall.png", (20, 33))):
        Image.fromarray(random.integers(0, 255, (3, 4, 3), dtype=np.uint8)).resize(size).save(tmp_path / name)
        pictures.append(ImageRef(name, tmp_path / name))
    captions = ("a dog", "two dogs are running over a wide green lawn", "A cat!")
    return [Sample(f"{p.name}{c}", p, c, ("A thing.", "Two  things")) for p in pictures for c in captions]


def settings(**more: Any) -> ModelSettings:
    return ModelSettings(options={"side": "28"}, **more)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.served.FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("core.models.served.LONGEST_PAUSE_S", 0.02)


def served(url: str, metric: type[Metric] = Fleur, patience_s: float = QUICK_S, **more: Any) -> Any:
    """Return a metric over the served model."""
    wanted = settings(**more)
    vlm = connect(Endpoint(url), wanted, tuned=metric is Expert)
    assert isinstance(vlm, ServedVlm)
    vlm.server.patience_s = patience_s
    return metric(vlm, wanted)  # type: ignore[call-arg]


def values(outcomes: Sequence[Outcome]) -> list[float]:
    assert all(isinstance(outcome, Score) for outcome in outcomes), outcomes
    return [outcome.value for outcome in outcomes if isinstance(outcome, Score)]


@pytest.mark.parametrize("metric", [Fleur, RefFleur, ExpertWithoutSft])
@pytest.mark.parametrize("strict", [False, True])
def test_scores_and_explanations_are_those_of_the_model_here(
    metric: Any,
    strict: bool,
    toy: tuple[Any, Any],
    server: ServedLlava,
    url: str,
    samples: list[Sample],
) -> None:
    wanted = settings(explain=True, strict_reference=strict)
    here = LocalVlm(*toy, {"model": "toy"}, doubled_end=strict, max_new_tokens=LIMIT)
    server.vlm = here
    ours = list(metric(here, wanted).score(samples))
    judge = served(url, metric, explain=True, strict_reference=strict)
    theirs = list(metric(replace(judge.vlm, max_tokens=LIMIT), judge.settings).score(samples))
    assert values(theirs) == pytest.approx(values(ours), abs=1e-3 if strict else 1e-6)
    assert len(set(values(ours))) > 3
    for one, other in zip(ours, theirs, strict=True):
        assert isinstance(one, Score) and isinstance(other, Score)
        assert one.explanation == other.explanation and any(one.explanation.rationales.values())
        assert np.allclose(one.components["p"], other.components["p"], atol=1e-6)
        assert one.signature != other.signature


def test_the_key_is_sent_and_stands_in_no_signature(server: ServedLlava, samples: list[Sample]) -> None:
    seen: list[str] = []
    app = server.app()

    @app.middleware("http")
    async def note(request: Any, call_next: Any) -> Any:
        seen.append(request.headers.get("authorization", ""))
        return await call_next(request)

    with serving(app) as url:
        endpoint = Endpoint(url, key="sesame")
        vlm = connect(endpoint, settings(), tuned=False)
    assert set(seen) == {"Bearer sesame"}
    assert "sesame" not in repr(endpoint) + Fleur(vlm, settings()).signature()


def test_an_old_server_is_asked_for_the_likeliest_twenty_and_says_so(
    server: ServedLlava, url: str, local: Any, samples: list[Sample]
) -> None:
    server.knows_token_ids = False
    theirs = served(url)
    assert "digits:top20" in theirs.signature() and "template:untold" in theirs.signature()
    for ours, other in zip(Fleur(local, settings()).score(samples), theirs.score(samples), strict=True):
        assert isinstance(ours, Score) and isinstance(other, Score)
        assert -1e-6 <= ours.value - other.value < 0.05


def test_a_server_that_returns_few_probabilities_is_refused_with_their_number(server: ServedLlava, url: str) -> None:
    server.knows_token_ids = False
    server.instead = lambda body: JSONResponse(server.answer({**body, "top_logprobs": min(5, body["top_logprobs"])}))
    for judge in (False, True):
        with pytest.raises(BadSetting, match="it returns 5 probabilities per token instead of 20"):
            connect(Endpoint(url), settings(), judge=judge)
    server.instead = lambda body: refusal(400, "no logprobs") if "logprobs" in body else None
    with pytest.raises(BadSetting, match="400: no logprobs"):
        connect(Endpoint(url), settings(), judge=True)


def test_a_model_is_never_read_by_the_digit_tokens_of_another(
    server: ServedLlava, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that writes "85" as one token is read by its own likeliest tokens."""
    encode = server.vlm.tokenizer.encode

    def merging(text: str, add_special_tokens: bool) -> Any:
        ids = encode(text, add_special_tokens=add_special_tokens)
        return ids[:-1] if text[-2:].isdigit() else ids

    monkeypatch.setattr(server.vlm.tokenizer, "encode", merging)
    vlm = connect(Endpoint(url), settings())
    assert vlm.facts["digits"] == "top20" and vlm.digit_ids == ()
    assert all("logprob_token_ids" not in body for body in server.asked)


def test_a_model_that_is_still_loading_is_waited_for_within_the_time_limit(
    server: ServedLlava, url: str, samples: list[Sample]
) -> None:
    judge, asked = served(url), len(server.asked)
    server.instead = lambda body: refusal(404, "model not loaded yet") if len(server.asked) < asked + 5 else None
    assert len(values(list(judge.score(samples[:1])))) == 1
    server.instead = lambda body: refusal(404, "no such model")
    judge.vlm.server.patience_s = 0.1
    with pytest.raises(ModelUnavailable, match="gave no answer within 0.1 s .*404: no such model"):
        list(judge.score(samples[:1]))


def test_a_server_with_another_prompt_is_refused_with_both(server: ServedLlava, url: str) -> None:
    server.template = server.template.replace("curious human", "curious user")
    with pytest.raises(BadSetting, match="(?s)curious user.*llava_v1.jinja"):
        served(url)


def test_a_server_that_tokenises_the_text_whole_is_asked_so_that_the_tokens_agree(
    server: ServedLlava, url: str, local: Any
) -> None:
    def whole(turns: Sequence[Any], image_tokens: int) -> list[int]:
        text = server.rendered(server.asked[-1])
        ids = list(local.tokenizer.encode(text, add_special_tokens=False))
        place = ids.index(local.model.config.image_token_id)
        return [*ids[:place], *[local.model.config.image_token_id] * image_tokens, *ids[place + 1 :]]

    published = local.encode
    local.encode = whole
    theirs = served(url)
    assert theirs.vlm.gaps == (" ", " ") and "tokens:" not in theirs.signature()
    turns = [("a dog", "0.5"), ("Why?", None)]
    server.asked.append(
        {
            "messages": [
                {"role": "user", "content": "<image>\na dog"},
                {"role": "assistant", "content": "0.5"},
                {"role": "user", "content": "Why?"},
            ],
            "chat_template_kwargs": {"begin_gap": " ", "image_gap": " "},
        }
    )
    assert whole(turns, 4) == published(turns, 4)


def test_a_server_that_is_busy_fails_hangs_up_or_breaks_off_is_asked_again(
    server: ServedLlava, url: str, samples: list[Sample]
) -> None:
    judge = served(url)
    expected = values(list(judge.score(samples)))
    busy = refusal(429, "slow down", **{"retry-after": "0"})
    waiting = [busy, refusal(503, "loading", connection="close"), refusal(500, "oh", connection="close"), None, None]

    def instead(body: Any) -> Response | None:
        return (waiting.pop() or cut(server.answer(body))) if waiting else None

    server.instead = instead
    assert values(list(judge.score(samples))) == pytest.approx(expected) and not waiting


@pytest.mark.parametrize(
    ("answer", "told", "tries"),
    [
        (refusal(400, "image too odd"), "400: image too odd", 1),
        (refusal(500, "engine says no"), "engine says no", 4),
        (JSONResponse({"error": {"message": "upstream lost"}}), "upstream lost", 1),  # with status 200
    ],
)
def test_a_refusal_is_one_samples_outcome_in_the_servers_words(
    server: ServedLlava, url: str, samples: list[Sample], answer: Response, told: str, tries: int
) -> None:
    judge = served(url)
    asked = len(server.asked)
    server.instead = lambda body: answer if "A cat!" in str(body["messages"]) else None
    scored, refused = judge.score(samples[1:3])
    assert isinstance(scored, Score) and isinstance(refused, EvaluationError)
    assert refused.kind == "refused" and told in refused.message
    assert len(server.asked) - asked == 1 + tries


def test_expert_takes_the_model_that_is_called_so(server: ServedLlava, url: str) -> None:
    with pytest.raises(BadSetting, match='serves llava; expected a model with "expert" in its name'):
        connect(Endpoint(url), settings(), tuned=True)
    server.name = "EXPERT-13b"
    assert connect(Endpoint(url), settings(), tuned=True).model == "EXPERT-13b"
    with pytest.raises(BadSetting, match="Name it with --model"):
        connect(Endpoint(url), settings(), tuned=False)
    assert connect(Endpoint(url, "EXPERT-13b"), settings(), tuned=False).model == "EXPERT-13b"
    with pytest.raises(BadSetting, match="serves no model 'other'; it serves: EXPERT-13b"):
        connect(Endpoint(url, "other"), settings(), tuned=False)


def test_a_longer_answer_is_asked_for_again(
    server: ServedLlava, url: str, toy: tuple[Any, Any], samples: list[Sample]
) -> None:
    judge = served(url)
    said = "On a scale of 0.0 to 1.0, I rate it 0.75."
    original, asked = server.decoded, len(server.asked)

    def led_anew(*given: Any) -> Any:
        with led(toy[0], toy[1].tokenizer, [said]):
            return original(*given)

    server.decoded = led_anew  # type: ignore[method-assign]
    (outcome,) = judge.score(samples[:1])
    assert isinstance(outcome, Score) and outcome.components["raw"] == 0.75
    assert [body["max_tokens"] for body in server.asked[asked:]] == [16, 512]


def test_who_gives_up_waiting_is_let_go_at_once(server: ServedLlava, url: str, samples: list[Sample]) -> None:
    judge, held = served(url), Event()
    server.instead = lambda body: None if held.wait(30) else None

    def give_up(what: str, done: int, total: int) -> None:
        raise Cancelled(what)

    with reporting(give_up), pytest.raises(Cancelled, match="Waiting for http"):
        list(judge.score(samples[:1]))
    held.set()


def test_a_server_is_sent_as_many_requests_at_a_time_as_were_asked_for_and_never_more(
    server: ServedLlava, url: str
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    held, three = threading.Event(), threading.Semaphore(0)

    def hold(body: object) -> Response:
        three.release()
        held.wait(30)
        return JSONResponse({"choices": []})

    server.instead = hold
    asked = ModelServer(Endpoint(url, parallel=3), QUICK_S)
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(asked.chat, [{"messages": []}] * 9)
        assert all(three.acquire(timeout=30) for _ in range(3))
        other = ModelServer(Endpoint(url), QUICK_S)
        for _ in range(20):  # what else was sent meanwhile would have come before these
            other.json(f"{url}/models")
        seen = len(server.asked)
        held.set()
        assert answers.result(30) == [{"choices": []}] * 9
    assert seen == 3 and len(server.asked) == 9


def test_a_request_that_hangs_is_one_outcome_and_the_others_are_answered(server: ServedLlava, url: str) -> None:
    held = threading.Event()
    server.instead = lambda body: JSONResponse({"choices": [held.wait(30)] if body["messages"] else []})
    asked = ModelServer(Endpoint(url, timeout_s=2.0), QUICK_S)
    hanging, answered = asked.chat([{"messages": ["a"]}, {"messages": []}])
    held.set()
    assert isinstance(hanging, NoScore) and str(hanging) == "The server did not answer within 2 s."
    assert answered == {"choices": []} and len(server.asked) == 2


@pytest.mark.parametrize(("closes", "told"), [(False, "did not answer within 0.2 s"), (True, "gave no answer within")])
def test_a_server_that_never_answers_or_hangs_up_is_told_when_it_is_connected(
    closes: bool, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.connecting.QUICK_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def hang_up() -> None:
            with suppress(OSError):  # the test has ended
                while closes:
                    listening.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        with pytest.raises(ModelUnavailable, match=f"{url} .*{told}"):
            connect(Endpoint(url, timeout_s=0.2), settings())
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            Response("<!doctype html><title>Sign in</title>", media_type="text/html"),
            "with a web page instead of JSON: '<!doctype html><title>Sign in",
        ),
        (refusal(402, "Payment required"), "Check the account's credit"),
        (
            JSONResponse({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}, 429),
            "Check the account's credit",
        ),
    ],
)
def test_an_answer_after_which_no_request_can_succeed_ends_the_run_at_the_first_request(
    server: ServedLlava, url: str, answer: Response, told: str
) -> None:
    server.instead = lambda body: answer
    with pytest.raises(ModelUnavailable, match=told):
        ModelServer(Endpoint(url), QUICK_S).chat([{"messages": []}])
    assert len(server.asked) == 1
