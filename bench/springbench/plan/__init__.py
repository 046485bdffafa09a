"""A profile and filters, as the ordered cases of a run."""
