"""Agreement of metrics with human judgement, by each benchmark's own rule, and the figures that papers published."""
