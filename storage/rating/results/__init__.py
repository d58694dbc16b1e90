"""Read ratings as records or columns. Callers can apply adjudicators' decisions, and leave out excluded ratings."""
