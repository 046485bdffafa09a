"""Another host over ssh: what is started there, watched there, and ended there."""
