"""Readings of a process and of the host, from /proc, the JVM and its logs."""
