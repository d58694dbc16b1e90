"""Exact amounts of money in whole minor units, such as pence, and their texts. Amounts are never floats."""

import re

from core.errors import BadSetting

# Key: ISO 4217 code of a currency. Value: number of decimals of an amount.
CURRENCIES = dict.fromkeys(("AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "INR", "MXN"), 2)
CURRENCIES |= dict.fromkeys(("NOK", "NZD", "PLN", "SEK", "SGD", "USD", "ZAR"), 2) | {"JPY": 0, "KRW": 0}
MOST = 100_000_000  # largest rate or reward, in the currency's smallest unit, such as cents
_SIGNS = {"EUR": "€", "GBP": "£", "USD": "$"}
_SECONDS = 3600  # seconds of an hour


def check_currency(currency: str) -> None:
    """Raise BadSetting for a code that is not in CURRENCIES."""
    if currency not in CURRENCIES:
        raise BadSetting(f"The currency must be one of {', '.join(sorted(CURRENCIES))}, found {currency[:20]!r}.")


def minor_units(text: str, currency: str) -> int:
    """Return an amount such as "9.50" in minor units. Raises BadSetting."""
    check_currency(currency)
    decimals = CURRENCIES[currency]
    match = re.fullmatch(r"(\d{1,9})(?:\.(\d{1,2}))?", text.strip(), re.ASCII)
    fraction = (match[2] or "") if match else ""
    if match is None or len(fraction) > decimals:
        example = "9.50" if decimals else "1000"
        raise BadSetting(f"Write an amount of {currency} like {example}, found {text[:20]!r}.")
    smallest: int = 10**decimals
    return int(match[1]) * smallest + int(fraction.ljust(decimals, "0") or "0")


def plain_amount(amount: int, currency: str) -> str:
    """Return an amount for files, with a decimal point and without the currency: 9.50."""
    decimals = CURRENCIES[currency]
    whole, rest = divmod(amount, 10**decimals)
    return f"{whole}.{rest:0{decimals}}" if decimals else str(whole)


def money_text(amount: int, currency: str) -> str:
    """Return an amount for display: £9.50, or 9.50 CHF."""
    plain = plain_amount(amount, currency)
    return f"{_SIGNS[currency]}{plain}" if currency in _SIGNS else f"{plain} {currency}"


def pay_for(seconds: int, hourly_rate: int) -> int:
    """Return the pay for a number of whole seconds, in minor units.

    The pay is rounded up, so that nobody gets less than the hourly rate.
    """
    hours, rest = divmod(seconds * hourly_rate, _SECONDS)
    return hours + (rest > 0)


def hourly_pay(amount: int, seconds: int) -> int | None:
    """Return the hourly rate of an amount paid for some seconds.

    The amount and the rate are in minor units, such as pence. The rate is rounded down. Returns None if seconds is 0.
    """
    return amount * _SECONDS // seconds if seconds else None
