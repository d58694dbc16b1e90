"""Build the report's HTML: tables, figures, paragraphs, and the page around them. Every text is escaped here."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

from ui.services.analysis.section import Figure
from ui.services.tables import Cell, Table, cells

_STYLE = """
:root{--ink:#1b1f24;--quiet:#57606a;--paper:#fff;--line:#d0d7de;--edge:#6e7781;--accent:#00629b;--warn:#8a4b00}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebee;--quiet:#a3adb8;--paper:#14171b;--line:#353c45;--edge:#8b949e;
--accent:#6cbdf0;--warn:#f0b65e}}
body{font:16px/1.5 system-ui,sans-serif;max-width:1100px;margin:24px auto;padding:0 16px;color:var(--ink);
background:var(--paper)}
h1{font-size:26px}h2{font-size:20px;margin:40px 0 8px;border-top:1px solid var(--line);padding-top:16px}
h3{font-size:16px;margin:24px 0 4px}p{max-width:75ch}a{color:var(--accent)}.quiet{color:var(--quiet);font-size:14px}
.notice{border-left:3px solid var(--warn);padding-left:12px}
.table{overflow-x:auto;margin:8px 0 20px}table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:4px 20px 4px 0;border-bottom:1px solid var(--line);font-size:15px;
font-variant-numeric:tabular-nums}th{color:var(--quiet);font-size:13px}
figure{margin:8px 0 20px;background:#fff;color:#1b1f24;max-width:900px}figcaption{padding:4px 8px;font-size:14px}
""".replace("\n", "")


_DRAW = """
for (const box of document.querySelectorAll("[data-figure]")) {
  const {data, layout} = JSON.parse(document.getElementById(box.dataset.figure).textContent);
  Plotly.newPlot(box, data, {...layout, height: layout.height ?? 420}, {displaylogo: false, responsive: true});
}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Return a stand-alone HTML page that loads nothing from any server. Its figures bring Plotly's script along."""
    name = escape(title)
    width = '<meta name="viewport" content="width=device-width,initial-scale=1">'
    icon = '<link rel="icon" href="data:,">'  # without this link, a browser asks the host for an icon
    head = f'<head><meta charset="utf-8">{width}<title>{name}</title>{icon}<style>{_STYLE}</style></head>'
    content = "\n".join(parts)
    scripts = f"<script>{_plotly()}</script><script>{_DRAW}</script>" if "data-figure" in content else ""
    body = f"<body><main><h1>{name}</h1>\n{content}\n</main>{scripts}</body>"
    return f'<!doctype html>\n<html lang="en">{head}{body}</html>\n'


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def heading(text: str, level: int = 2) -> str:
    """Return a heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str, look: str = "") -> str:
    """Return a paragraph. look: its CSS class, which is "quiet", "notice" or ""."""
    return f'<p class="{look}">{escape(text)}</p>' if look else f"<p>{escape(text)}</p>"


def figures(drawn: Sequence[Figure]) -> str:
    """Return figures, each with its title and description."""
    return "".join(map(_figure, drawn))


def _figure(one: Figure) -> str:
    content = json.dumps(one.figure).replace("<", "\\u003c")
    name = f"figure-{sha256(content.encode()).hexdigest()[:16]}"
    caption = f"<figcaption>{escape(one.title)}. {escape(one.description)}</figcaption>"
    script = f'<script type="application/json" id="{name}">{content}</script>'
    return f'<figure>{script}<div data-figure="{name}"></div>{caption}</figure>'


def table(found: Table[Any]) -> str:
    """Return an HTML table. Tooltips show exact numbers."""
    heads, lines = cells(found)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(map(_cell, line)) + "</tr>" for line in lines)
    below = paragraph(found.footnote, "quiet") if found.footnote else ""
    shown = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if lines else ""
    return f'<div class="table" tabindex="0">{shown}</div>{below}'


def _cell(cell: Cell) -> str:
    title = f' title="{escape(cell.exact)}"' if cell.exact else ""
    return f"<td{title}>{escape(cell.text)}</td>"
