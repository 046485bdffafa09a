"""Finds the commit that made a metric worse, by comparisons of two commits each."""
