"""The machine: tools, CPUs, limits, ports, and the one door to subprocesses."""
