"""The progress and the result of an import that runs in the background."""

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["receiving", "waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import."""

    state: State = "receiving"
    what: str = ""  # name of the current step
    done: int = 0
    total: int = 0
    problem: str = ""  # reason why nothing was imported; "": no problem
    kind: str = ""  # kind of the problem: "rows", "file", "cancelled"
    result: dict[str, Any] = field(default_factory=dict)  # result of the import in the format of import_worker


CANCELLED = Progress("cancelled", problem="The import was cancelled. Nothing was imported.", kind="cancelled")


def ended(last: dict[str, Any], cancelled: bool) -> Progress:
    """Return the final progress of an import.

    last: the last message of the import's process. cancelled: whether the import was cancelled.
    """
    if "done" in last and "what" not in last:
        return Progress("done", result=last["done"])
    if "problem" in last:
        kind = last.pop("kind")
        return Progress(
            "cancelled" if kind == "cancelled" else "failed", problem=last.pop("problem"), kind=kind, result=last
        )
    if cancelled:
        return CANCELLED
    problem = "The process that reads the file ended too early, because it took too much memory or was stopped."
    return Progress("failed", problem=f"{problem} Nothing was imported.", kind="file")
