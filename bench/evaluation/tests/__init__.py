"""Tests of what evaluates the method: run by `make test-evaluation`, and by `make test-all`."""
