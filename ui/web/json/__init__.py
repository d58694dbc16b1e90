"""Values as JSON for the pages' scripts."""
