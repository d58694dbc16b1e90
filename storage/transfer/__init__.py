"""Write a study's archive."""
