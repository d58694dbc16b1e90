"""Read the content of an item: form, sentences, regions, and hidden pictures."""
