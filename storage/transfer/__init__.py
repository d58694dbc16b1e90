"""Move rows in and out of a database, for study bundles and whole databases.

Also describe the columns of the tables in a bundle.
"""
