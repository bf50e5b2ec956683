"""``zerda serve``: the memory over HTTP. Importing this loads neither FastAPI nor a server."""
