"""The server under test: its command line, its process, its CPUs."""
