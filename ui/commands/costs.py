"""Print the tokens, money and seconds that a scoring run takes."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from core.costs import Price, Seconds, Usage
from ui.services.scoring.estimate import Estimate

PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT",
        help="Price of a million prompt tokens and price of a million answer tokens, such as 0.15,0.60.",
    ),
]


def priced(usage: Usage | None, price: Price | None) -> dict[str, Any]:
    """Return a scoring run's price list and cost for --json.

    The result is empty if there is no price list.
    """
    return {} if price is None else {"price": asdict(price), "money": price.of(usage)}


def cost_lines(usage: Usage | None, price: Price | None) -> Iterator[str]:
    """Yield lines with a scoring run's number of tokens and their cost.

    Yield nothing if no server answered.
    """
    if usage is None:
        return
    answers = f"{usage.answers:,} answer{'s' if usage.answers != 1 else ''}"
    if usage.total is None or usage.prompt is None or usage.completion is None:
        yield f"Tokens: the server did not report tokens for {answers}."
        return
    yield f"Tokens: {usage.total:,} for {answers}: {_prompt(usage)}, {_completion(usage)}."
    if usage.counted < usage.answers:
        yield f" The server reported tokens for {usage.counted:,} of {answers}, so the sums cover only these answers."
    if price is not None:
        yield f"  {money(price.of(usage))} {at(price)}."
        if usage.cached:
            yield " Cached tokens are counted at the full price, but many services charge less for them."


def _prompt(usage: Usage) -> str:
    return f"{usage.prompt:,} in prompts" + ("" if usage.cached is None else f" ({usage.cached:,} cached)")


def _completion(usage: Usage) -> str:
    reasoning = "" if usage.reasoning is None else f" ({usage.reasoning:,} for reasoning)"
    return f"{usage.completion:,} in answers{reasoning}"


def at(price: Price) -> str:
    """Return a price list in words."""
    return (
        f"at these prices ({price.prompt:g} per million prompt tokens, {price.completion:g} per million answer tokens)"
    )


def money(amount: float | None) -> str:
    """Return an amount in any currency, with at least three significant digits."""
    if amount is None:
        return "cost unknown"
    return f"{amount:,.2f}" if amount >= 10 or amount == 0 else f"{amount:.3g}"


def estimate_lines(estimate: Estimate, price: Price | None) -> Iterator[str]:
    """Yield lines with the expected cost and time of a scoring run."""
    asked = "" if estimate.requests is None else f", about {estimate.requests:,} requests to the server"
    yield f"{estimate.metric} on {estimate.dataset}: {estimate.samples:,} samples to score{asked}."
    if estimate.asked is None:
        yield "Nothing was sent."
    else:
        judged = estimate.asked.scored + estimate.asked.errors
        yield f"{judged:,} samples were scored for this estimate. Their scores are stored."
        yield from cost_lines(estimate.asked.usage, price)
    if not estimate.samples:
        return
    if not estimate.measured:
        unknown = "Tokens are" if estimate.paced else "Tokens and hours are"
        yield (
            f"{unknown} unknown, because there is no stored result with its tokens and time. To get an estimate, add "
            "--dry-run --measure 10. This scores ten samples, which a server may bill."
        )
        if estimate.paced:
            yield f"  at least {_hours(estimate)}"
        return
    yield f"Estimate from {estimate.measured:,} stored results of {estimate.signature}:"
    usage = estimate.usage
    if usage is not None and usage.prompt is not None and usage.completion is not None:
        margin = "" if estimate.margin is None else f", give or take {estimate.margin:.1%}"
        parts = f"{usage.prompt:,} in prompts, {usage.completion:,} in answers"
        yield f"  {usage.total:,} tokens{margin}: {parts}"
        if price is not None:
            yield f"  {money(price.of(usage))} {at(price)}"
    elif estimate.requests is not None:
        yield "  tokens: the server did not report any"
    yield f"  {_hours(estimate)}"


def _hours(estimate: Estimate) -> str:
    if estimate.hours is None:
        return "hours: unknown; to measure them, add --dry-run --measure 10"
    seconds = 3600 * estimate.hours
    spans = ((3600, "hours"), (60, "minutes"), (1, "seconds"))
    size, unit = next((one for one in spans if seconds >= one[0]), spans[-1])
    duration = f"{seconds / size:.1f} {unit}"
    if estimate.paced:
        return f"{duration}, limited by --rate or --tokens-per-min"
    return duration + (
        f" with {estimate.parallel} parallel requests (--parallel)" if estimate.requests is not None else ""
    )


def second_lines(seconds: Seconds, samples: int) -> Iterator[str]:
    """Yield lines with the seconds of each part of a scoring run.

    Models are loaded once, so loading has one time. The other parts have a sum over the samples and a time per sample.
    """
    for part, took in seconds.items():
        if part == "load":
            yield f"{took:8.2f} s  loading"
        else:
            yield f"{took:8.2f} s  {part}" + (f", {took / samples:.3g} s per sample" if samples else "")
