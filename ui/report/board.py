"""Write the reproduction board (results printed in papers, and computed here) as one stand-alone page."""

from ui.report.html import heading, page, paragraph, table
from ui.services.analysis.board import Board

TITLE = "Printed figures of papers, computed again"


def board_html(board: Board) -> str:
    """Return a board as a page.

    Results computed here come first, then printed results without data.
    """
    parts = [paragraph(remark) for remark in board.remarks]
    for found in (*board.computed, *board.missing):
        parts += [heading(found.title), table(found, "")]
    return page(TITLE, parts)
