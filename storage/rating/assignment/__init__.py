"""Who gets which item, and when items are given back."""
