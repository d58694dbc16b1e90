"""Archives of studies, backups, and exports of data sets."""
