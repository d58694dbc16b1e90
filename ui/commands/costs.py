"""Tokens, money and seconds as commands print them."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from core.costs import Price, Seconds, Usage

PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price", metavar="IN,OUT", help="Prices of a million tokens, of prompts and of answers: sums in money."
    ),
]


def priced(usage: Usage | None, price: Price | None) -> dict[str, Any]:
    """Return the money for --json; nothing without a price."""
    return {} if price is None else {"price": asdict(price), "money": price.of(usage)}


def cost_lines(usage: Usage | None, price: Price | None) -> Iterator[str]:
    """Yield the tokens of a run in words, and what they cost. Nothing where no server answered."""
    if usage is None:
        return
    answers = f"{usage.answers:,} answer{'s' if usage.answers != 1 else ''}"
    if usage.total is None or usage.prompt is None or usage.completion is None:
        yield f"Tokens: the server told none for {answers}."
        return
    yield f"Tokens: {usage.total:,} for {answers}: {_prompt(usage)}, {_completion(usage)}."
    if usage.counted < usage.answers:
        yield f"  The server told the tokens of {usage.counted:,} of {answers}; the sums are of these alone."
    if price is not None:
        yield f"  {money(price.of(usage))} {at(price)}."
        if usage.cached:
            yield "  Cached tokens are counted at the full price; many services take less."


def _prompt(usage: Usage) -> str:
    return f"{usage.prompt:,} in prompts" + ("" if usage.cached is None else f" ({usage.cached:,} cached)")


def _completion(usage: Usage) -> str:
    told = "" if usage.reasoning is None else f" ({usage.reasoning:,} of reasoning)"
    return f"{usage.completion:,} in answers{told}"


def at(price: Price) -> str:
    """Return the prices in words."""
    return f"at these prices ({price.prompt:g} in, {price.completion:g} out, a million tokens)"


def money(amount: float | None) -> str:
    """Return an amount in whatever currency, with at least three digits that count."""
    if amount is None:
        return "no money known"
    return f"{amount:,.2f}" if amount >= 10 or amount == 0 else f"{amount:.3g}"


def second_lines(seconds: Seconds, samples: int) -> Iterator[str]:
    """Yield the seconds of a run by part: loading once, the others as sums and for one of the samples."""
    for part, took in seconds.items():
        if part == "load":
            yield f"{took:8.2f} s  loading"
        else:
            yield f"{took:8.2f} s  {part}" + (f", {took / samples:.3g} s a sample" if samples else "")
