"""The engine's side of the Universal Hive Protocol."""
