"""CLIP and its relatives: the encoders of CLIPScore and HICE-S."""
