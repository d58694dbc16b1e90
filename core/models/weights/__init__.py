"""Weights of models: the list of weights, their locations, and downloads."""
