"""Wait for what another thread or process does. No test lives here."""

import threading
import time
from collections.abc import Callable

PATIENCE_S = 180.0  # a busy machine takes a while
_FIRST_PAUSE_S = 0.005


def wait_until(met: Callable[[], bool], what: str, longest_pause_s: float = 0.5) -> None:
    """Look again and again, with growing pauses, until something holds.

    Without pauses, looking would take the processor from what is waited for.
    """
    end, pause = time.monotonic() + PATIENCE_S, _FIRST_PAUSE_S
    while not met():
        assert time.monotonic() < end, f"waited in vain for {what}"
        threading.Event().wait(pause)
        pause = min(longest_pause_s, pause * 1.5)
