"""Rows in and out of a database: study bundles, moving to another database, the meaning of each column."""
