"""Write the reproduction board as one stand-alone page.

The board shows results printed in papers, and the same results computed here.
"""

from ui.report.html import heading, page, paragraph, table
from ui.services.analysis.board import Board

TITLE = "Printed figures of papers, computed again"


def board_html(board: Board) -> str:
    """Return a reproduction board as an HTML page.

    Results that are also computed here come first. Then come printed results for which there are no data.
    """
    parts = [paragraph(remark) for remark in board.remarks]
    for found in (*board.computed, *board.missing):
        parts += [heading(found.title), table(found, "")]
    return page(TITLE, parts)
