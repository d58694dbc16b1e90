"""Reports that stand alone: figures and HTML."""
