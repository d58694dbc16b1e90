"""Read ratings as records or columns, with adjudication and without excluded ratings."""
