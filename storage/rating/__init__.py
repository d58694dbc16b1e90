"""Store studies, give items to raters, and store and read their answers."""
