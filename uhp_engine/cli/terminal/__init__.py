"""The game in the terminal, behind `uhp-engine play`."""
