"""How an import that runs in the background goes, and how it ended."""

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["receiving", "waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How an import goes."""

    state: State = "receiving"
    what: str = ""  # is being done
    done: int = 0
    total: int = 0
    problem: str = ""  # why nothing was imported
    kind: str = ""  # of the problem: "rows", "file", "cancelled"
    result: dict[str, Any] = field(default_factory=dict)  # as import_apart tells it


CANCELLED = Progress("cancelled", problem="The import was cancelled. Nothing was imported.", kind="cancelled")


def ended(last: dict[str, Any], given_up: bool) -> Progress:
    """Return how an import ended, from the last thing that its process told."""
    if "done" in last and "what" not in last:
        return Progress("done", result=last["done"])
    if "problem" in last:
        kind = last.pop("kind")
        return Progress(
            "cancelled" if kind == "cancelled" else "failed", problem=last.pop("problem"), kind=kind, result=last
        )
    if given_up:
        return CANCELLED
    problem = "The process that reads the file ended before its time: it took too much memory, or somebody stopped it."
    return Progress("failed", problem=f"{problem} Nothing was imported.", kind="file")
