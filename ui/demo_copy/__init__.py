"""A copy of the demo that needs no server.

It is made of the app's own pages, which read recorded answers from files.
"""
