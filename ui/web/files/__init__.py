"""Scripts, style sheets and preview pictures, as the server sends them."""
