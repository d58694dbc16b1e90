"""A study's results: exports, reports, agreement between raters."""
