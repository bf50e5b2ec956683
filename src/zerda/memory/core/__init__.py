"""The ground: nouns, seams and rules; no I/O, no clock."""
