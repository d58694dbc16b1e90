"""Options of metrics that ask a model, and the signature of scores, which states these options."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadSetting
from core.models import ModelSettings, check_options
from core.models.vlm.protocol import VLM_OPTIONS, Vlm
from core.signature import signature

Allowed = Mapping[str, tuple[str, ...]]  # key: option; value: allowed values, the default first; (): any text

TALK_OPTIONS: Allowed = {
    "caption": ("normalised", "stored"),  # normalised: whitespace runs become one space; stored: caption unchanged
    "feed": ("smoothed", "raw"),  # which score the explanation prompt contains
}


@dataclass(frozen=True, slots=True)
class Conduct:
    """The settings with which a metric asks its model."""

    signature: str
    batch_size: int = 8  # parallel conversations
    explain: bool = False
    explanation_first: bool = False
    feed_raw: bool = False  # True: the explanation prompt contains the raw score, not the smoothed score
    half: bool = False  # True: compute the score in float16, as the published code does


def chosen(options: Mapping[str, str], allowed: Allowed) -> dict[str, str]:
    """Return every option with its value, or its default. Raises BadSetting for an unknown name or value."""
    known = {**TALK_OPTIONS, **VLM_OPTIONS, **allowed}
    check_options(options, known)
    for name, value in options.items():
        if known[name] and value not in known[name]:
            raise BadSetting(f"{name} must be {' or '.join(known[name])}, found {value!r}.")
    return {name: options.get(name, values[0] if values else "") for name, values in known.items()}


def conduct(
    metric: str, vlm: Vlm, settings: ModelSettings, choice: Mapping[str, str], score_prompt: str, why_prompt: str
) -> Conduct:
    """Return the settings with which a metric asks its model.

    The model is asked for scores and explanations. choice: the values of all options. score_prompt, why_prompt: the
    prompts with empty placeholders for captions.
    """
    first = choice.get("order") == "explanation-first"
    explain = settings.explain or first
    signed = signature(
        metric,
        **vlm.facts,
        prompt=prompt_hash([score_prompt, why_prompt] if explain else [score_prompt]),
        smoothing="float16" if settings.strict_reference else "float64",
        strict=settings.strict_reference or None,
        caption=choice["caption"] if choice["caption"] == "stored" else None,
        order="explanation-first" if first else None,
        explanation=choice["feed"] if explain and not first else None,
    )
    raw = choice["feed"] == "raw"
    return Conduct(signed, settings.batch_size, explain, first, raw, settings.strict_reference)


def caption_text(caption: str, choice: Mapping[str, str]) -> str:
    """Return a caption as it is inserted into the prompt.

    Several spaces or line breaks in a row become one space, unless options say otherwise.
    """
    return caption if choice["caption"] == "stored" else " ".join(caption.split())


def prompt_hash(prompts: Sequence[str]) -> str:
    """Return 8 hex digits that change with any character of the prompts."""
    return hashlib.sha256("\0".join(prompts).encode()).hexdigest()[:8]
