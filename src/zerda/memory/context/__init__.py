"""What is put before the model: sections within a token budget."""
