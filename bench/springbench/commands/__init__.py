"""One module per command; each parses, validates, does, and hands over to a renderer."""
