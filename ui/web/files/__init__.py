"""Scripts and style sheets."""
