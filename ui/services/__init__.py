"""Functions that pages and commands share. They work on an opened data folder."""
