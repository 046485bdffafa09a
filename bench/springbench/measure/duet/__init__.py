"""A pair of processes, base and head, measured in turns."""
