"""wrk, the sampler beside it, and the timeline that they make."""
