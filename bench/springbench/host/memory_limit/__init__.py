"""How a server is held to its memory limit and its CPU quota: by which means, and the control
groups for it."""
