"""Models of language: parsers of captions and the encoder of labels."""
