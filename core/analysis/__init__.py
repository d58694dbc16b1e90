"""Analyse scores against human judgement: tables of scores, slices (saved filters), coded errors."""
