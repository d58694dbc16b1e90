"""Read what an item shows a rater: form, sentences, regions, and whether the picture is hidden."""
