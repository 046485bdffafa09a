"""Base against head: paired ratios, what the place adds, verdicts, and two stored runs."""
