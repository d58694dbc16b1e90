"""The domain code of Capscope: captions, metrics and ratings.

This package imports neither the code of the pages nor that of the database. Python users import the public names from
`capscope`; see docs/how-to/use-from-python.md.
"""
