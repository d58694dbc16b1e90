"""Judge captions by the labels and outlines of a picture's regions."""
