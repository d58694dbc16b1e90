"""What a caption states: its words, facts and phrases, and their positions in the caption."""
