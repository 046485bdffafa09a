"""A history of real commits through the real workflows, on this machine."""
