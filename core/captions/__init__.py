"""What a caption states: words, facts, phrases and where they stand in it."""
