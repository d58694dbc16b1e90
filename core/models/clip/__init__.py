"""CLIP and Alpha-CLIP: the encoders of CLIPScore and HICE-S."""
