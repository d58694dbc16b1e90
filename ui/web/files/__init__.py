"""Scripts, style sheets and preview pictures."""
