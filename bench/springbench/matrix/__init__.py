"""`matrix.toml`: the axes as data, read and checked."""
