"""Artifacts: Maven, what a runtime makes of a jar, and which variants cannot be made here."""
