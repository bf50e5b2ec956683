"""The only place that chooses concrete parts and puts them together."""
