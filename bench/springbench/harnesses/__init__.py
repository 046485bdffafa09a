"""Results of other harnesses: their files become measurements, each in base units."""
