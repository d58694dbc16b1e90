"""What a caption states: its words, facts and phrases, and their places in the caption."""
