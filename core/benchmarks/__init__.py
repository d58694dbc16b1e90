"""Agreement of metrics with human judgement by each benchmark's rule, and published figures."""
