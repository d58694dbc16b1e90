"""Pictures: open them safely, decode them in a sandbox, remove their metadata."""
