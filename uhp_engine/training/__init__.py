"""Playing games to learn from, and fitting the evaluation and the priors to them."""
