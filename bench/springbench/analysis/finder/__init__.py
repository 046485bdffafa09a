"""From series of a history to steps and drifts. Pure."""
