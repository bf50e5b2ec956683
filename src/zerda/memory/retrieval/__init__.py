"""Finding the right memory: sources propose, rules rank, a selector chooses."""
