"""Functions on an opened data folder that pages and commands share."""
