"""Saving through Gradio's event queue: the same rows, written by the same Repository.

Run as `python -m tests.benchmarks.bare_saving PORT DATABASE`.
"""

import sys
from pathlib import Path
from typing import Any

import gradio as gr

from storage import open_repository
from storage.study_types import Rater, Save


def serve(port: int, database: Path) -> None:
    """Serve until interrupted."""
    repository = open_repository(database)

    def save(rater_id: int, saves: list[dict[str, Any]]) -> list[str | None]:
        return list(repository.save(Rater(rater_id, ""), [Save(**one) for one in saves]))

    with gr.Blocks(analytics_enabled=False) as blocks:
        rater, saves, refusals = gr.Number(precision=0), gr.JSON(), gr.JSON()
        gr.Button("Save").click(save, [rater, saves], refusals)
    blocks.launch(server_name="127.0.0.1", server_port=port, quiet=True, share=False, ssr_mode=False)


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
