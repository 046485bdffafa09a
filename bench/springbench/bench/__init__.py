"""A test bench: what a run, a comparison, a profile and the self-check measure on."""
