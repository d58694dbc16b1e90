"""Actions that need a tool below the actor: a person who surfs is on a surfboard."""

from core.captions.facts import Fact

TOOLS = {
    "surfing": "surfboard", "skiing": "skis", "snowboarding": "snowboard", "skateboarding": "skateboard",
    "biking": "bicycle", "cycling": "bicycle", "bicycling": "bicycle", "motorcycling": "motorcycle",
}  # fmt: skip


def ridden_tool(fact: Fact) -> str | None:
    """Return the tool that an attribute such as "surfing" implies, or None."""
    return TOOLS.get(fact.object) if fact.kind == "attribute" else None
