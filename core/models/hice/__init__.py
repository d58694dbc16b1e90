"""Models with which HICE-S compares a caption and a picture."""
