"""Load the vision-language model that settings ask for. No torch until then."""

from core.models import Checkpoint, ModelSettings
from core.models.vlm import Vlm


def load_vlm(settings: ModelSettings, default: Checkpoint, adapter: Checkpoint | None = None) -> Vlm:
    """Return the model of settings, or the default one, with the adapter of settings, or the default one.

    Raises ModelUnavailable: weights, memory or network are missing.
    """
    raise NotImplementedError
