"""The pages that Gradio draws, and their head."""
