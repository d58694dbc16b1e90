"""Vision-language models for metrics: their interface, LLaVA-1.5's input, and how a model is loaded, without torch.

LLaVA-1.5's input is that of FLEUR and EXPERT: the conversation template ``llava_v1``, and pictures padded to a square.
The template's system text has "curious human"; ``vicuna_v1`` has "curious user". Pictures are resized by Pillow, as in
the published code. Resized tensors would differ by up to 0.03 after normalisation (about 2 grey levels).
"""

import base64
import io
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.costs import Usage
from core.errors import BadSetting, NoScore
from core.models import Checkpoint, Endpoint, ModelSettings, check_options
from core.models.weights import find_weights
from core.score_reading.smoothing import Digits

Facts = Mapping[str, str | bool | None]
Turn = tuple[str, str | None]  # (the user's question, the assistant's answer); None: no answer yet

VLM_OPTIONS: Mapping[str, tuple[str, ...]] = {  # key: option; value: allowed values, the default first; (): any text
    "template": ("llava_v1", "chat"),  # chat: the own template of a model on a server
    "dtype": ("auto", "float32", "float16", "bfloat16"),  # auto: float16 on a GPU, float32 on a CPU
    "side": (),  # side in px of the square picture that LLaVA gets on a server; default 336; not used for local models
}
SYSTEM = (
    "A chat between a curious human and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the human's questions."
)
MAX_TOKENS = 512  # maximum tokens of one answer, as published
END = "</s>"  # follows each of the assistant's answers
MEAN = (122, 116, 104)  # mean colour of CLIP's pictures, each channel 0-255; LLaVA pads with it
LONGEST_SIDE = 1024  # longest side in px to which pictures for served models other than LLaVA are reduced
IMAGE = "<image>"  # replaced by the picture's tokens; occurs once, in the first user turn
# Models that metrics use at the moment. FLEUR and RefFLEUR share the memory of one model if both use it.
_in_use: "WeakValueDictionary[Hashable, Vlm]" = WeakValueDictionary()
NO_ADAPTER = "none"  # value of the option adapter: no adapter, even if the metric has a default adapter


@dataclass(frozen=True, slots=True, eq=False)
class Chat:
    """A conversation about one picture. The last turn has no answer yet."""

    image: Image.Image  # RGB; chats about one picture should share the object, because then it is encoded once
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer, split into tokens if a score was requested."""

    pieces: tuple[str, ...]  # text of each token; "" for control tokens
    digits: tuple[Digits, ...] = ()  # the ten digits' probabilities at each token: float64 [10]
    likely: tuple[Mapping[str, float], ...] = ()  # for each token, the likeliest texts and their probabilities
    usage: Usage | None = None  # None: no server answered
    is_cut: bool = False  # True: the token limit ended the answer

    @property
    def text(self) -> str:
        """Return the whole answer."""
        return "".join(self.pieces)


class Vlm(Protocol):
    """A vision-language model that answers the last message of each conversation."""

    @property
    def facts(self) -> Facts:
        """What the signatures of scores state about the model: everything about it that can change a score."""
        ...

    @property
    def control_texts(self) -> frozenset[str]:
        """Texts that the tokenizer reads as control tokens, such as "</s>". Captions must not contain them."""
        ...

    def answers(self, chats: Sequence[Chat], scored: bool) -> Sequence[Reply | NoScore]:
        """Return the model's greedy answers, in order. A refused request gives a NoScore.

        scored: the answer must contain a score. It ends when the score is complete, and has probabilities of digits.
        """
        ...


def llava_v1(turns: Sequence[Turn], doubled_end: bool = False) -> str:
    """Return the text of a conversation, up to the beginning of the assistant's next answer.

    doubled_end: write ``</s></s>`` after an answer. The published code stored the answer with its end mark, and the
    template added a second one.
    """
    end = END * 2 if doubled_end else END
    written = [f"{SYSTEM} "]
    for index, (question, answer) in enumerate(turns):
        picture = f"{IMAGE}\n" if index == 0 else ""
        written.append(f"USER: {picture}{question} ASSISTANT:")
        written.append("" if answer is None else f" {answer}{end}")
    return "".join(written)


def pad_to_square(image: Image.Image, background: tuple[int, int, int]) -> Image.Image:
    """Centre an RGB picture in a square whose side is the picture's longer side.

    If the padding is an odd number of pixels, the additional pixel is at the right or the bottom.
    """
    side = max(image.size)
    square = Image.new("RGB", (side, side), background)
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return square


@lru_cache(32)  # a picture's captions are adjacent
def picture_url(size: tuple[int, int], pixels: bytes, side: int | None) -> str:
    """Return an RGB picture as a `data:` URL. side: that of LLaVA's square; None: only reduce a large picture.

    The encoding is lossless, so the server decodes exactly these pixels.
    """
    shown = Image.frombytes("RGB", size, pixels)
    if side is not None:
        shown = pad_to_square(shown, MEAN).resize((side, side), Image.Resampling.BICUBIC)
    else:
        shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BICUBIC)
    file = io.BytesIO()
    shown.save(file, "WEBP", lossless=True, method=0, quality=0)  # WebP needs a third of PNG's time, and no more bytes
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def pixel_values(image: Image.Image, side: int, mean: Sequence[float], std: Sequence[float]) -> NDArray[np.float32]:
    """Return an RGB picture as float32 [3, side, side]: padded with the mean, resized bicubically, normalised.

    mean and std are per channel, for values in [0, 1].
    """
    red, green, blue = (int(255 * channel) for channel in mean)
    square = pad_to_square(image, (red, green, blue)).resize((side, side), Image.Resampling.BICUBIC)
    values = (np.asarray(square, dtype=np.float64) / 255 - np.asarray(mean)) / np.asarray(std)
    return np.ascontiguousarray(values.transpose(2, 0, 1), dtype=np.float32)


def digit_ids(tokenize: Callable[[str], Sequence[int]]) -> tuple[int, ...]:
    """Return a model's own tokens of "0" to "9"; () if it splits numbers into other tokens than single digits.

    tokenize: returns the tokens of a text without special tokens; [] if they are unknown.
    """
    encoded = [tokenize(str(digit)) for digit in range(10)]
    if not all(encoded):
        return ()
    ids = [tokens[-1] for tokens in encoded]
    scores = "\n".join(f"0.{first}{second}" for first in range(10) for second in range(10))
    written = [ids.index(token) for token in tokenize(scores) if token in ids]
    is_single = len(set(ids)) == 10 and "".join(map(str, written)) == scores.replace("\n", "").replace(".", "")
    return tuple(ids) if is_single else ()


def load_vlm(metric: str, settings: ModelSettings, default: Checkpoint, adapter: Checkpoint | None = None) -> Vlm:
    """Load the model and adapter that `settings` names, or the default ones.

    Raises ModelUnavailable for missing weights or memory, BadSetting for settings that do not fit the model.
    """
    check_vlm_options(settings.options)
    if settings.endpoint is not None:
        return load_served(settings, tuned=adapter is not None)
    if settings.options.get("template") == "chat":
        raise BadSetting("The option template=chat needs a model server. Only LLaVA-1.5 runs on this computer.")
    weights = find_weights(settings.model or default.repo, metric)
    wanted = settings.adapter or (adapter.repo if adapter else NO_ADAPTER)
    merged = None if wanted == NO_ADAPTER else find_weights(wanted, metric, "The adapter")
    options = tuple(settings.options.get(name) for name in VLM_OPTIONS)
    key = (weights, merged, settings.device, settings.strict_reference, options)
    vlm = _in_use.get(key)
    if vlm is None:
        from core.models.llava import build_vlm  # imported late, because this imports torch and transformers

        vlm = _in_use[key] = build_vlm(weights, merged, settings)
    return vlm


def load_served(settings: ModelSettings, tuned: bool = False, judge: bool = False) -> Vlm:
    """Return the model on the server that the settings name.

    For tuned, judge and the errors raised, see core.models.connecting.connect.
    """
    assert settings.endpoint is not None
    check_vlm_options(settings.options)
    if settings.adapter:
        raise BadSetting("A server has merged its adapter. Remove the option adapter.")
    if "dtype" in settings.options:
        raise BadSetting("A server chooses its number format. Remove the option dtype.")
    options = tuple(settings.options.get(name) for name in VLM_OPTIONS)
    key = (settings.endpoint, settings.model, settings.strict_reference, options, tuned, judge)
    vlm = _in_use.get(key)
    if vlm is None:
        from core.models.connecting import connect  # imported late, because connecting needs httpx2, which is slow

        vlm = _in_use[key] = connect(settings.endpoint, settings, tuned, judge)
    return vlm


def check_vlm_options(options: Mapping[str, str]) -> None:
    """Raise BadSetting for an unknown option or value."""
    check_options(options, VLM_OPTIONS)
    for name, value in options.items():
        if VLM_OPTIONS[name] and value not in VLM_OPTIONS[name]:
            raise BadSetting(f"{name} must be {' or '.join(VLM_OPTIONS[name])}, found {value!r}.")


def forget_served(endpoint: Endpoint) -> None:
    """Disconnect from a server, because its model has changed. The next metric connects again."""
    for key in [key for key in _in_use if isinstance(key, tuple) and key[0] == endpoint]:
        _in_use.pop(key, None)
