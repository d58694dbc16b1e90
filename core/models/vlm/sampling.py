"""Sampled answers: a served model answers the same question several times at a temperature above 0.

The score is the mean of the scores in these answers. Like a smoothed score, it can lie between the values that the
model writes. But it needs no probabilities (FLEUR, Figure 5b). Sampled scores cannot be repeated exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import BadSetting

FEWEST, MOST = 2, 100  # answers
HOTTEST = 2.0  # highest temperature that OpenAI's API accepts


@dataclass(frozen=True, slots=True)
class Sampling:
    """How often to ask the same question for a score, and with which temperature."""

    answers: int  # number of sampled answers, FEWEST to MOST
    temperature: float  # above 0, at most HOTTEST


def sampling_of(options: Mapping[str, str]) -> Sampling | None:
    """Return the sampling from the options `samples` and `temperature`.

    Returns None if neither option is set. Raises BadSetting.
    """
    answers, temperature = options.get("samples", ""), options.get("temperature", "")
    if not answers and not temperature:
        return None
    if not answers or not temperature:
        raise BadSetting(
            "The options `samples` and `temperature` must be used together. The score is then the mean of several "
            "sampled answers."
        )
    try:
        sampling = Sampling(int(answers), float(temperature))
    except ValueError as error:
        raise BadSetting(
            f"The options `samples` and `temperature` must be numbers, found {answers!r} and {temperature!r}."
        ) from error
    if not FEWEST <= sampling.answers <= MOST:
        raise BadSetting(f"The option `samples` must be from {FEWEST} to {MOST}, found {answers}.")
    if not 0 < sampling.temperature <= HOTTEST:
        raise BadSetting(f"The option `temperature` must be above 0 and at most {HOTTEST:g}, found {temperature}.")
    return sampling


def check_unsampled(options: Mapping[str, str], where: str) -> None:
    """Raise BadSetting if the options request sampled answers.

    where: names the case in which sampled answers do not work, for the error message. Example: "a model on this
    computer".
    """
    if sampling_of(options) is not None:
        raise BadSetting(f"Sampled answers need a model server (--endpoint). They do not work with {where}.")
