"""What the machine has: tools, CPUs, limits, ports, and the one door to subprocesses."""
