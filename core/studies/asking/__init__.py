"""What raters see: forms (a study's questions), instructions."""
