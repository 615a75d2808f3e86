"""The driver's side: engine processes, matches, tournaments, statistics."""
