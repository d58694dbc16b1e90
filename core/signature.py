"""Signatures: each score has a text that names everything that can change its value (after sacreBLEU)."""

import re

VERSION = "0.2.0"


def signature(metric: str, **settings: str | float | bool | None) -> str:
    """Return the signature of a metric with settings.

    Example: ``FLEUR|model:llava-13b|smoothing:float64|capscope:0.2.0``. Settings are sorted by name. Settings that are
    None are dropped, booleans become yes or no. The separators ``|`` and ``:`` inside a value are replaced by other
    characters, so that the text can be split again.
    """
    parts = [_clean(metric)]
    parts += [f"{name}:{_clean(_text(value))}" for name, value in sorted(settings.items()) if value is not None]
    return "|".join([*parts, f"capscope:{VERSION}"])


BY_PEOPLE = {"judged": "people"}  # settings of scores that people gave, such as THumB's precision and recall


def is_by_people(signature: str) -> bool:
    """Return whether people gave the scores with this signature.

    Such scores are human judgements, not scores of a metric.
    """
    return any(f"{name}:{value}" in signature.split("|") for name, value in BY_PEOPLE.items())


def kind_of(signature: str) -> str:
    """Return a signature's metric and, if it is known, its model.

    New versions of a metric's signature keep these two settings. If this function returns the same for two different
    signatures, they differ only in how the metric is computed.
    """
    metric, *settings = signature.split("|")
    return "|".join([metric, *(setting for setting in settings if setting.startswith("model:"))])


def _text(value: str | float | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("|", "/").replace(":", "=")).strip()
