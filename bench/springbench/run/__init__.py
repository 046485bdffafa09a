"""A run, from a plan to results that are saved fork by fork."""
