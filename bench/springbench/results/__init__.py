"""The versioned contract `run.json` and where it lives on disk."""
