"""Image-text models: prompts, pictures, decoding, caches."""
