"""The smallest Gradio app: a text box and a button. Run as `python -m tests.benchmarks.bare_app PORT`."""

import sys

import gradio as gr


def serve(port: int) -> None:
    """Serve until interrupted."""
    with gr.Blocks(analytics_enabled=False) as blocks:
        name, greeting = gr.Textbox(label="Name"), gr.Textbox(label="Greeting")
        gr.Button("Greet").click(lambda text: f"Hello {text}", name, greeting)
    blocks.launch(server_name="127.0.0.1", server_port=port, quiet=True, share=False, ssr_mode=False)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
