"""Services that servers depend on: the slow upstream, the database, HTTP to ask them."""
