"""What the proofs share: how often each is tried (in full with ``ZERDA_PROOFS=full``), and types."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

Told = Callable[[str, str], None]
"""Tells what was promised and what was seen."""

Run = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[..., "subprocess.Popen[str]"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes of the proofs. ``open_files`` is the limit under which ``tenants`` are touched by one process."""

    kills: int
    processes: int
    entries_of_a_process: int
    threads: int
    entries_of_a_thread: int
    forks: int
    tenants: int
    open_files: int
    connections: int
    saves_of_a_neighbour: int
    users_of_a_month: int
    saves_of_a_day: int
    kills_beside_a_server: int
    seconds_between_kills: int


REDUCED = Counts(
    kills=5,
    processes=3,
    entries_of_a_process=50,
    threads=8,
    entries_of_a_thread=10,
    forks=3,
    tenants=300,
    open_files=64,
    connections=12,
    saves_of_a_neighbour=50,
    users_of_a_month=20,
    saves_of_a_day=8,
    kills_beside_a_server=3,
    seconds_between_kills=0,
)
FULL = Counts(
    kills=100,
    processes=6,
    entries_of_a_process=300,
    threads=8,
    entries_of_a_thread=250,
    forks=25,
    tenants=5_000,
    open_files=256,
    connections=64,  # The default.
    saves_of_a_neighbour=1_000,
    users_of_a_month=20,
    saves_of_a_day=60,
    kills_beside_a_server=12,
    seconds_between_kills=10,
)
COUNTS = FULL if os.environ.get("ZERDA_PROOFS") == "full" else REDUCED
