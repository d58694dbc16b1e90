"""Texts that raters read, in the language of their study."""
