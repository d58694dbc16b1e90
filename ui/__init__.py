"""The two interfaces of the app: its pages (Gradio) and its command line. Both call `ui.services`."""
