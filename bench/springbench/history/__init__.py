"""The published history: what the branch `gh-pages` holds under `data/`."""
