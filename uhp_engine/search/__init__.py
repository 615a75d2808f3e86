"""Monte Carlo tree search over the rules core."""
