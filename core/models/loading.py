"""Load the vision-language model that settings ask for. No torch until then."""

from core.models import Checkpoint, ModelSettings
from core.models.availability import find_weights
from core.models.vlm import Vlm

NO_ADAPTER = "none"  # as --adapter: a base model where a metric has an adapter by default


def load_vlm(metric: str, settings: ModelSettings, default: Checkpoint, adapter: Checkpoint | None = None) -> Vlm:
    """Return the model of settings, or the default one, with the adapter of settings, or the default one.

    Raises ModelUnavailable where weights or memory are missing, BadSetting for a model that cannot be used so.
    """
    weights = find_weights(settings.model or default.repo, metric)
    wanted = settings.adapter or (adapter.repo if adapter else NO_ADAPTER)
    merged = None if wanted == NO_ADAPTER else find_weights(wanted, metric, "--adapter")
    from core.models.engine import build_vlm  # torch and transformers load here, and no earlier

    return build_vlm(weights, merged, settings)
