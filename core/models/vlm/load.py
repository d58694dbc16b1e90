"""Load the vision-language model that settings ask for. No torch until then."""

from collections.abc import Hashable
from weakref import WeakValueDictionary

from core.models import Checkpoint, ModelSettings
from core.models.vlm.protocol import VLM_OPTIONS, Vlm
from core.models.weights.availability import find_weights

# Models that some metric holds: FLEUR and RefFLEUR on one model must not take its memory twice.
_in_use: WeakValueDictionary[Hashable, Vlm] = WeakValueDictionary()
NO_ADAPTER = "none"  # as --adapter: a base model where a metric has an adapter by default


def load_vlm(metric: str, settings: ModelSettings, default: Checkpoint, adapter: Checkpoint | None = None) -> Vlm:
    """Return the model of settings, or the default one, with the adapter of settings, or the default one.

    Raises ModelUnavailable where weights or memory are missing, BadSetting for a model that cannot be used so.
    """
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
