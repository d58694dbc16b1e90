"""Figures of Analyse, made with Plotly. Pages and reports show the same figures."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from ui.services.analysis.section import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")  # Okabe and Ito
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")  # these distinguish lines without colour
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")  # these distinguish points without colour
LEGEND = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}


def words(text: str) -> str:
    """Return a text that Plotly shows as it is. Plotly would read tags and links in it."""
    return escape(text, quote=False)


def axis(title: str, ends: Sequence[float] | None = None, **more: Any) -> dict[str, Any]:
    """Return an axis with a title and, if given, fixed ends."""
    range_ = {} if ends is None else {"range": list(ends)}
    return {"title": {"text": words(title)}, "zeroline": False, **range_, **more}


def series(number: int, **line: Any) -> dict[str, Any]:
    """Return the line of the n-th series: its own colour and dashes."""
    return {"color": COLOURS[number % len(COLOURS)], "dash": DASHES[number % len(DASHES)], **line}


def marker(number: int, **more: Any) -> dict[str, Any]:
    """Return the points of the n-th series: their own colour and symbol."""
    return {"color": COLOURS[number % len(COLOURS)], "symbol": SYMBOLS[number % len(SYMBOLS)], **more}


def figure(
    title: str, description: str, traces: Sequence[Any], x: dict[str, Any], y: dict[str, Any], **layout: Any
) -> Figure:
    """Return a figure. traces: objects of plotly.graph_objects."""
    import plotly.graph_objects as go  # imported late, because it is slow

    margin = {"l": 60, "r": 16, "t": 32, "b": 48}
    made = go.Figure(
        list(traces),
        {"template": "none", "xaxis": x, "yaxis": y, "margin": margin, "legend": LEGEND, "showlegend": len(traces) > 1}
        | layout,
    )
    return Figure(title, description, json.loads(made.to_json()))
