"""The web app: server, pages, routes."""
