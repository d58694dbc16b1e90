"""What a study found: exports, reports, agreement between raters."""
