"""Measurements: what a recall finds, and what it costs. For us, and for users on their own data."""
