"""The programs that a run needs: found, or installed."""
