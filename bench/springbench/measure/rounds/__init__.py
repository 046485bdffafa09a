"""A round: every variant of a load up at once, each loaded for a moment in turn."""
