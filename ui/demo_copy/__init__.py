"""A copy of the demo that needs no server: the app's own pages, which read recorded answers from files beside them."""
