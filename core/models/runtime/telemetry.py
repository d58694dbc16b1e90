"""Nothing is told to anybody about what runs here."""

import os


def disable_telemetry() -> None:
    """Keep the libraries of the Hugging Face hub from telling their makers of models that load and of downloads.

    Call before they are used; they read the variable when they are imported, which others may have done before.
    """
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    from huggingface_hub import constants

    constants.HF_HUB_DISABLE_TELEMETRY = True
