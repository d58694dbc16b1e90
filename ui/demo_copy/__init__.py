"""A copy of the demo that needs no server.

It uses the app's own pages, which read recorded responses from files.
"""
