"""The demo study: photographs out of installed packages, with scores and explanations written by hand."""

from ui.services import Workplace


def ensure_demo(workplace: Workplace) -> None:
    """Make the demo study where there is no data yet."""
