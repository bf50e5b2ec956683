"""``zerda serve``: the memory over HTTP."""

from __future__ import annotations

import click

from .. import render
from ..options import Call, memory_command


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Elsewhere than here, it wants keys.")
@click.option("--port", default=8377, show_default=True, help="0 is any that is free.")
@click.option("--name", "names", multiple=True, help="A name under which it is called; may be repeated.")
@click.option("--origin", "origins", multiple=True, help="A web page that may call it from a browser.")
@click.option("--workers", default=1, show_default=True, help="Processes that answer, on one store.")
@click.option("--requests-per-minute", default=6_000, show_default=True, help="Of one key; 0 is no limit.")
@click.option("--max-body-bytes", default=1_048_576, show_default=True, help="The largest body.")
@click.option("--stop-seconds", default=10, show_default=True, help="Time for calls that are under way.")
@click.option("--oidc-issuer", metavar="URL", help="Take tokens of this issuer, too.")
@click.option("--oidc-audience", metavar="NAME", help="The audience that its tokens are for.")
@click.option("--oidc-tenant", metavar="NAME", help="The tenant of its users (default: the claim 'tenant').")
@click.option("--trace-content", is_flag=True, help="Let traces carry what was said and asked.")
@memory_command
def command(
    call: Call,
    host: str,
    port: int,
    names: tuple[str, ...],
    origins: tuple[str, ...],
    workers: int,
    requests_per_minute: int,
    max_body_bytes: int,
    stop_seconds: int,
    oidc_issuer: str | None,
    oidc_audience: str | None,
    oidc_tenant: str | None,
    trace_content: bool,
) -> None:
    """Answer programs over HTTP, until SIGTERM or Ctrl-C.

    Each call needs a key: `zerda keys create`. The API is described at /openapi.json. A line of JSON for
    each request goes to stderr; it tells nothing of what was said.
    """
    from ...rest.serving import check, serve, verifiers_of
    from ...rest.settings import ServerSettings

    settings = ServerSettings(
        host=host, port=port, hosts=names, origins=origins, workers=workers,
        requests_per_minute=requests_per_minute, max_body_bytes=max_body_bytes, stop_seconds=stop_seconds,
        content_in_traces=trace_content,
    )  # fmt: skip
    verifiers = verifiers_of(oidc_issuer, oidc_audience, oidc_tenant)
    with call.open() as memory:
        check(memory, settings, other_tokens=oidc_issuer is not None)
        if not memory.list_keys() and oidc_issuer is None:
            render.note("there is no key yet, so that every call is refused: zerda keys create --admin")
    serve(call.open, settings, verifiers, ready=lambda address: render.write(address))
