"""Load the vision-language model that settings ask for, here or on a server. No torch until then."""

from collections.abc import Hashable
from weakref import WeakValueDictionary

from core.errors import BadSetting
from core.models import Checkpoint, Endpoint, ModelSettings
from core.models.vlm.protocol import VLM_OPTIONS, Vlm
from core.models.weights.availability import find_weights

# Models that some metric holds: FLEUR and RefFLEUR on one model must not take its memory twice.
_in_use: WeakValueDictionary[Hashable, Vlm] = WeakValueDictionary()
NO_ADAPTER = "none"  # as --adapter: a base model where a metric has an adapter by default


def load_vlm(metric: str, settings: ModelSettings, default: Checkpoint, adapter: Checkpoint | None = None) -> Vlm:
    """Return the model of settings, or the default one, with the adapter of settings, or the default one.

    Raises ModelUnavailable where weights or memory are missing, BadSetting for a model that cannot be used so.
    """
    if settings.endpoint is not None:
        return load_served(settings, tuned=adapter is not None)
    weights = find_weights(settings.model or default.repo, metric)
    wanted = settings.adapter or (adapter.repo if adapter else NO_ADAPTER)
    merged = None if wanted == NO_ADAPTER else find_weights(wanted, metric, "--adapter")
    options = tuple(settings.options.get(name) for name in VLM_OPTIONS)
    key = (weights, merged, settings.device, settings.strict_reference, options)
    vlm = _in_use.get(key)
    if vlm is None:
        from core.models.vlm.engine import build_vlm  # torch and transformers load here, and no earlier

        vlm = _in_use[key] = build_vlm(weights, merged, settings)
    return vlm


def load_served(settings: ModelSettings, tuned: bool = False, integers: bool = False) -> Vlm:
    """Return the model of the settings' endpoint; see core.models.vlm.handshake.connect for what it raises."""
    assert settings.endpoint is not None
    if settings.model or settings.adapter:
        raise BadSetting("--model and --adapter are for this computer; name a served model with --endpoint-model.")
    options = tuple(settings.options.get(name) for name in VLM_OPTIONS)
    key = (settings.endpoint, settings.strict_reference, options, tuned, integers)
    vlm = _in_use.get(key)
    if vlm is None:
        from core.models.vlm.connecting import connect  # httpx2 loads here, and no earlier

        vlm = _in_use[key] = connect(settings.endpoint, settings, tuned, integers)
    return vlm


def forget_served(endpoint: Endpoint) -> None:
    """Let the next metric connect to a server anew, because its model has changed."""
    for key in [key for key in _in_use if isinstance(key, tuple) and key[0] == endpoint]:
        _in_use.pop(key, None)
