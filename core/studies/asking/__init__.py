"""What raters see: forms (a study's questions), sentences to judge, instructions."""
