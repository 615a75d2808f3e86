"""Self-play, data sets and fitting of the evaluation. Still empty: the classic weights are set by hand."""
