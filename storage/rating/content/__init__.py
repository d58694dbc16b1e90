"""Read the content of an item: questions (the form), regions, and hidden pictures."""
