"""What raters are given and what they answer."""
