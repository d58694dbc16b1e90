"""Ratings read out of the database: as records, as columns, adjudicated, without excluded ones."""
