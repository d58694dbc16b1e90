"""Pictures: opening them safely, decoding them in a sandbox, removing their metadata."""
