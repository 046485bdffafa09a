"""What the host is and does: facts, its class, the kernel's limits, CPU activity."""
