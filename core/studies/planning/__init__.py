"""Plan which items raters get, in which order, and how long a study takes."""
