"""Analyse scores against human judgement: score tables, slices (saved filters), categories of errors."""
