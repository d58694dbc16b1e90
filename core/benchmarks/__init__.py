"""Agreement of metrics with human judgement, computed by each benchmark's own rule.

This package also contains the numbers that papers published.
"""
