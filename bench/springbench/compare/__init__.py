"""A comparison, from two sides that are named to findings."""
