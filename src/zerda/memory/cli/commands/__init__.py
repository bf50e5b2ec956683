"""The commands of ``zerda``, one a file; `zerda.memory.cli.app` lists them."""
