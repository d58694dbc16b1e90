"""Load the vision-language model that the settings name, on this computer or on a server.

Torch is imported only for models on this computer.
"""

from collections.abc import Hashable
from weakref import WeakValueDictionary

from core.errors import BadSetting
from core.models import Checkpoint, Endpoint, ModelSettings
from core.models.vlm.protocol import VLM_OPTIONS, Vlm
from core.models.weights.availability import find_weights

# Models that metrics use at the moment. FLEUR and RefFLEUR share the memory of one model if both use it.
_in_use: WeakValueDictionary[Hashable, Vlm] = WeakValueDictionary()
NO_ADAPTER = "none"  # value of the option adapter: no adapter, even if the metric has a default adapter


def load_vlm(metric: str, settings: ModelSettings, default: Checkpoint, adapter: Checkpoint | None = None) -> Vlm:
    """Load the model and adapter that `settings` names, or the default ones.

    Raises ModelUnavailable for missing weights or memory, BadSetting for settings that do not fit the model.
    """
    if settings.endpoint is not None:
        return load_served(settings, tuned=adapter is not None)
    weights = find_weights(settings.model or default.repo, metric)
    wanted = settings.adapter or (adapter.repo if adapter else NO_ADAPTER)
    merged = None if wanted == NO_ADAPTER else find_weights(wanted, metric, "The adapter")
    options = tuple(settings.options.get(name) for name in VLM_OPTIONS)
    key = (weights, merged, settings.device, settings.strict_reference, options)
    vlm = _in_use.get(key)
    if vlm is None:
        from core.models.vlm.llava import build_vlm  # imported late, because this imports torch and transformers

        vlm = _in_use[key] = build_vlm(weights, merged, settings)
    return vlm


def load_served(settings: ModelSettings, tuned: bool = False, judge: bool = False) -> Vlm:
    """Return the model on the server that the settings name.

    For tuned, judge and the errors raised, see core.models.vlm.served.connect.
    """
    assert settings.endpoint is not None
    if settings.adapter:
        raise BadSetting("A server has merged its adapter. Remove the option adapter.")
    options = tuple(settings.options.get(name) for name in VLM_OPTIONS)
    key = (settings.endpoint, settings.strict_reference, options, tuned, judge)
    vlm = _in_use.get(key)
    if vlm is None:
        from core.models.vlm.served import connect  # imported late, because connecting needs httpx2, which is slow

        vlm = _in_use[key] = connect(settings.endpoint, settings, tuned, judge)
    return vlm


def forget_served(endpoint: Endpoint) -> None:
    """Disconnect from a server, because its model has changed. The next metric connects again."""
    for key in [key for key in _in_use if isinstance(key, tuple) and key[0] == endpoint]:
        _in_use.pop(key, None)
