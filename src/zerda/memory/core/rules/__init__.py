"""Pure rules: values in, values out; ``now`` is an argument."""
