"""What an item shows a rater: form, sentences, regions, and the veil over its picture."""
