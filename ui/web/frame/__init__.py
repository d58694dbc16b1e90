"""The pages in Gradio's frame, and their HTML head."""
