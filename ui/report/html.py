"""What the report is built of: tables, paragraphs and the page around them. Every text is escaped here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

Row = Mapping[str, Any]
Column = tuple[str, Callable[[Row], Any]]  # heading, what a row has there

_STYLE = """
:root{--ink:#1b1f24;--quiet:#57606a;--paper:#fff;--line:#d0d7de;--edge:#6e7781;--accent:#00629b;--warn:#8a4b00}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebee;--quiet:#a3adb8;--paper:#14171b;--line:#353c45;--edge:#8b949e;
--accent:#6cbdf0;--warn:#f0b65e}}
body{font:16px/1.5 system-ui,sans-serif;max-width:1100px;margin:24px auto;padding:0 16px;color:var(--ink);
background:var(--paper)}
h1{font-size:26px}h2{font-size:20px;margin:40px 0 8px;border-top:1px solid var(--line);padding-top:16px}
h3{font-size:16px;margin:24px 0 4px}p{max-width:75ch}.quiet{color:var(--quiet);font-size:14px}
.notice{border-left:3px solid var(--warn);padding-left:12px}
.table{overflow-x:auto;margin:8px 0 20px}table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:4px 20px 4px 0;border-bottom:1px solid var(--line);font-size:15px;
font-variant-numeric:tabular-nums}th{color:var(--quiet);font-size:13px}
.figures{display:flex;flex-wrap:wrap;gap:16px 32px;margin:8px 0 20px}svg{max-width:100%;height:auto}
""".replace("\n", "")


def page(title: str, parts: Iterable[str]) -> str:
    """Return a page that stands alone: it asks for nothing, from this machine or another."""
    name = escape(title)
    width = '<meta name="viewport" content="width=device-width,initial-scale=1">'
    head = f'<head><meta charset="utf-8">{width}<title>{name}</title><style>{_STYLE}</style></head>'
    content = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en">{head}<body><h1>{name}</h1>\n{content}\n</body></html>\n'


def heading(text: str, level: int = 2) -> str:
    """Return a heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str, look: str = "") -> str:
    """Return a paragraph; `look` is "quiet", "notice" or nothing."""
    return f'<p class="{look}">{escape(text)}</p>' if look else f"<p>{escape(text)}</p>"


def figures(drawn: Iterable[str]) -> str:
    """Return figures in a row, as many as fit."""
    return f'<div class="figures">{"".join(drawn)}</div>'


def table(rows: Sequence[Row], columns: Sequence[Column], otherwise: str) -> str:
    """Return a table, or the paragraph that says why there is none. Numbers have three decimals, exact on pointing.

    A column in which no row has anything is left out.
    """
    if not rows:
        return paragraph(otherwise)
    cells = [[value(row) for _, value in columns] for row in rows]
    kept = [place for place in range(len(columns)) if any(line[place] != "" for line in cells)]
    head = "".join(f'<th scope="col">{escape(columns[place][0])}</th>' for place in kept)
    body = "".join("<tr>" + "".join(_cell(line[place]) for place in kept) + "</tr>" for line in cells)
    return f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def field(name: str, undefined: str = "undefined") -> Callable[[Row], Any]:
    """Return how to read a field of a row; `undefined` stands where it is None, the row's note says why."""
    return lambda row: undefined if row[name] is None else row[name]


def interval(row: Row) -> str:
    """Return a 95 % interval in words."""
    return "no interval" if row["ci_low"] is None else f"{row['ci_low']:.3f} to {row['ci_high']:.3f}"


def percent(name: str) -> Callable[[Row], str]:
    """Return how to read a share as percent."""
    return lambda row: "undefined" if row[name] is None else f"{row[name]:.1%}"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f'<td title="{value!r}">{value:.3f}</td>'
    return f"<td>{escape(f'{value:,}' if isinstance(value, int) else str(value))}</td>"
