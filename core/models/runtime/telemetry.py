"""Switch off usage reports of third-party libraries."""

import os


def disable_telemetry() -> None:
    """Stop the Hugging Face libraries from reporting loaded models and downloads.

    Call this before the libraries are used. The libraries read the environment variable HF_HUB_DISABLE_TELEMETRY only
    when they are imported. So this function also changes the setting in huggingface_hub, which other code may have
    imported before.
    """
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    from huggingface_hub import constants

    constants.HF_HUB_DISABLE_TELEMETRY = True
