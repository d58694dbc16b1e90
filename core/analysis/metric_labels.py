"""Short names for metrics, also where one was computed under several settings."""

from collections import Counter
from collections.abc import Iterable, Mapping

LONGEST_PART = 48  # characters of what tells settings apart; the signature itself is longer by far

Version = tuple[str, str]  # metric, signature


def metric_labels(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return a short name for each (metric, signature), all different.

    A metric with one signature is called by its name. Several are told apart by the settings in which their
    signatures differ, e.g. "FLEUR (model:llava-7b)", or by the whole signature where that is not enough.
    """
    settings: dict[str, dict[str, tuple[str, ...]]] = {}
    for metric, signature in versions:
        settings.setdefault(metric, {})[signature] = tuple(signature.split("|"))
    labels = {
        (metric, signature): metric if len(several) == 1 else f"{metric} ({_difference(parts, several.values())})"
        for metric, several in settings.items()
        for signature, parts in several.items()
    }
    times = Counter(labels.values())
    return {version: label if times[label] == 1 else version[1] for version, label in labels.items()}


def _difference(parts: tuple[str, ...], several: Iterable[tuple[str, ...]]) -> str:
    """Return the settings that the others do not all share; a setting that only others have is named as absent."""
    others = list(several)
    shared = set(parts).intersection(*others)
    own = [part for part in parts if part not in shared]
    named = {part.partition(":")[0] for part in parts}
    absent = dict.fromkeys(p.partition(":")[0] for other in others for p in other if p.partition(":")[0] not in named)
    text = ", ".join(own or (f"no {name}" for name in absent))
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 1]}…"
