"""A position as text or picture. Still empty."""
