"""Stand-alone reports: figures and HTML."""
