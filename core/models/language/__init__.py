"""Language models: parsers of captions and the encoder of labels."""
