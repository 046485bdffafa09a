"""Scripts that evaluate the method itself; each is run by hand and prints what it found."""
