"""Build the report's HTML: tables, paragraphs, and the page around them. Every text is escaped here."""

from collections.abc import Iterable
from html import escape
from typing import Any

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
.figures{display:flex;flex-wrap:wrap;gap:16px 32px;margin:8px 0 20px}svg{max-width:100%;height:auto}
""".replace("\n", "")


def page(title: str, parts: Iterable[str]) -> str:
    """Return a stand-alone HTML page that loads nothing from any server."""
    name = escape(title)
    width = '<meta name="viewport" content="width=device-width,initial-scale=1">'
    icon = '<link rel="icon" href="data:,">'  # without this link, a browser asks the host for an icon
    head = f'<head><meta charset="utf-8">{width}<title>{name}</title>{icon}<style>{_STYLE}</style></head>'
    content = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en">{head}<body><main><h1>{name}</h1>\n{content}\n</main></body></html>\n'


def heading(text: str, level: int = 2) -> str:
    """Return a heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str, look: str = "") -> str:
    """Return a paragraph. look: its CSS class, which is "quiet", "notice" or ""."""
    return f'<p class="{look}">{escape(text)}</p>' if look else f"<p>{escape(text)}</p>"


def link(text: str, href: str) -> str:
    """Return a paragraph with a link."""
    return f'<p><a href="{escape(href)}">{escape(text)}</a></p>'


def figures(drawn: Iterable[str]) -> str:
    """Return figures in rows, as many in a row as fit."""
    return f'<div class="figures">{"".join(drawn)}</div>'


def table(found: Table[Any], otherwise: str) -> str:
    """Return an HTML table. Tooltips show exact numbers.

    If the table has no rows, return a paragraph that says why: the table's footnote, or else `otherwise`.
    """
    if not found.rows:
        return paragraph(found.footnote or otherwise)
    heads, lines = cells(found)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(map(_cell, line)) + "</tr>" for line in lines)
    below = paragraph(found.footnote, "quiet") if found.footnote else ""
    return (
        '<div class="table" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{below}"
    )


def _cell(cell: Cell) -> str:
    title = f' title="{escape(cell.exact)}"' if cell.exact else ""
    return f"<td{title}>{escape(cell.text)}</td>"
