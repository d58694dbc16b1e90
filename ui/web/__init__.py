"""The web app: server, pages and routes."""
