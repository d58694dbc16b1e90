"""Read ratings as records or columns. Adjudicators' decisions can be applied, and excluded ratings left out."""
