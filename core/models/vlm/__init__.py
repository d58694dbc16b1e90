"""Image-text models: on this computer, and on a server."""
