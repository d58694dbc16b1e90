"""The rating page as a bare Gradio app: three radios, a picture, a caption, one button for the next item.

Run as `python -m tests.benchmarks.bare_rating PORT FOLDER`: the pictures of the folder are the items.
"""

import sys
from pathlib import Path
from typing import Any

import gradio as gr

QUESTIONS = ("Consistency", "Factuality", "Informativeness")


def serve(port: int, folder: Path) -> None:
    """Serve until interrupted."""
    pictures = sorted(folder.glob("*.jpg"))

    def following(place: int, *_points: int) -> tuple[Any, ...]:
        place = (place + 1) % len(pictures)
        return place, str(pictures[place]), f"Item {place + 1}", *(None for _ in QUESTIONS)

    with gr.Blocks(analytics_enabled=False) as blocks:
        place = gr.State(0)
        picture = gr.Image(str(pictures[0]), type="filepath", height=375)
        caption = gr.Textbox("Item 1", label="Caption", elem_id="caption")
        radios = [gr.Radio([1, 2, 3, 4], label=question) for question in QUESTIONS]
        gr.Button("Next", elem_id="next").click(following, [place, *radios], [place, picture, caption, *radios])
    blocks.launch(
        server_name="127.0.0.1",
        server_port=port,
        quiet=True,
        share=False,
        ssr_mode=False,
        allowed_paths=[str(folder)],
    )


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
