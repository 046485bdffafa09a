"""What a host must have, and should have: pure checks, and the survey that feeds them."""
