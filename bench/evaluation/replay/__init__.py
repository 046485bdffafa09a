"""Regressions and improvements that people reported in public, measured again from the versions."""
