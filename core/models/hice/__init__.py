"""The parts that HICE-S compares a caption and a picture with."""
