"""What a study pays: exact amounts of money, and the terms that raters read."""
