"""From a plan to records: processes, loads, timelines. Knows nothing of statistics."""
