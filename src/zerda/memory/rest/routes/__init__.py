"""The operations, a file for each kind. Handlers are plain functions, so each runs in a thread."""
