"""Where entries live: the `Store` contract and its backends."""
