"""Scripts that judge the method itself; each is run by hand and prints what it found."""
