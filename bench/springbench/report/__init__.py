"""From results to text. Pure: starts no processes."""
