"""Targets of known throughput, and a second client."""
