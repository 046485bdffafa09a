"""Checks of what a host must have, and should have: pure, and the survey that feeds them."""
