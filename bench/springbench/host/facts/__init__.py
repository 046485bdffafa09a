"""Facts of the host and what it does: its class, the kernel's limits, CPU activity."""
