"""``zerda doctor``: what is wrong with a memory, and how to mend it."""

from __future__ import annotations

from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING

import click

from .. import render
from ..exits import FAILED, OK
from ..options import Call, memory_command

if TYPE_CHECKING:  # Help is shown without loading what it takes to look.
    from zerda.memory import Finding


@click.command()
@click.option("--set-aside", is_flag=True, help="Rename damaged files to *.corrupt-TIME and begin anew.")
@memory_command
def command(call: Call, set_aside: bool) -> int:
    """Look at every file, index and key, and say how to mend what is wrong.

    Looking changes nothing. The exit code is 1 where something that was said may be lost or refused.
    """
    from zerda.memory import doctor

    path = call.settings().persistence_path
    findings = [*_installation(), *doctor(path, encryption_key=call.key, set_aside=set_aside)]
    if call.json:
        for finding in findings:
            render.write_json(asdict(finding))
    elif findings:
        rows = [[one.kind, one.where, one.what, one.mend] for one in findings]
        render.write_table(["kind", "where", "what", "how to mend it"], rows)
    else:
        render.note(f"all is well: {path}")
    return FAILED if any(finding.serious for finding in findings) else OK


def _installation() -> list[Finding]:
    """The distribution ``zerda`` owns the same folders as ours, so they exclude each other."""
    from zerda.memory import Finding

    try:
        found = metadata.version("zerda")
    except metadata.PackageNotFoundError:
        return []
    what = f"the package zerda {found} is installed, and owns the same folders"
    return [Finding("installation", "Python", what, "pip uninstall zerda; then install zerda-memory again")]
