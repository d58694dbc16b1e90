"""The pages that Gradio draws, and their HTML head."""
