"""GitHub's REST API: what the comments need of it, with patience and limits."""
