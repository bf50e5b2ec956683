"""``zerda chat``: a conversation with a model that remembers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from zerda.memory import LLMError

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager

API_KEY = "ZERDA_API_KEY"  # Only the environment: a command line is for all users of a machine to see.


@click.command()
@click.option("--base-url", envvar="ZERDA_BASE_URL", show_envvar=True, required=True, metavar="URL",
              help="Endpoint that speaks like OpenAI's, such as http://127.0.0.1:11434/v1.")  # fmt: skip
@click.option("--model", envvar="ZERDA_MODEL", show_envvar=True, required=True, help="Name of the model.")
@click.option("--system", metavar="TEXT", help="The instruction that stands before all else.")
@click.option("--session", metavar="ID", help="Name of this conversation.")
@click.option("--max-tokens", type=click.IntRange(min=1), default=1_024, show_default=True)
@memory_command
def command(
    call: Call, base_url: str, model: str, system: str | None, session: str | None, max_tokens: int
) -> None:
    """Talk with a model that remembers.

    A line at a time; the end of the input (Ctrl-D) ends it.
    The key, where one is needed, comes from ZERDA_API_KEY.
    """
    from zerda.memory import OpenAICompatibleLLM

    llm = OpenAICompatibleLLM(base_url=base_url, model=model, api_key=os.environ.get(API_KEY))
    with call.open() as memory:
        for said in _lines():
            built = memory.build_context(call.user, call.tenant, said, session_id=session)
            messages = built.as_messages() if system is None else built.as_messages(system)
            try:
                answer = llm.chat(messages, max_tokens)
            except LLMError:
                _keep(memory, call, said, session)
                raise
            entry = memory.save_interaction(call.user, call.tenant, said, answer, session_id=session)
            if call.json:
                render.write_json({"id": entry.id, "input": said, "output": answer, "tokens": built.tokens})
            else:
                render.write(answer)


def _keep(memory: AIMemoryManager, call: Call, said: str, session: str | None) -> None:
    """What was said is kept, though no one answered."""
    memory.remember(call.user, call.tenant, said, kind="message", speaker="user", session_id=session)


def _lines() -> Iterator[str]:
    """What is typed, line by line, until it ends; lines that say nothing are passed over."""
    watched = render.on_terminal(sys.stdin)
    while True:
        if watched:
            click.echo("> ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()
