"""Read the content of an item: questions (the form), sentences, regions, and hidden pictures."""
