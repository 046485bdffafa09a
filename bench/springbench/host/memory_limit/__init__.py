"""How a server is held below its memory limit: by which means, and the control groups for it."""
