"""A process under load with a profiler inside, and what its recordings become."""
