"""A child process that is killed in the middle of its work."""

import os
import signal
import subprocess
import traceback
from collections.abc import Callable

Step = Callable[[str], None]


def killed_at(step: str, work: Callable[[Step], object]) -> bool:
    """Run the work in a child that is killed when it comes to a step; whether it came there."""

    def arrived(at: str) -> None:
        if at == step:
            os.kill(os.getpid(), signal.SIGKILL)

    child = started(lambda: work(arrived))
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, "the child failed; its traceback is above"
        return False
    return os.WTERMSIG(status) == signal.SIGKILL


def started(work: Callable[[], object]) -> int:
    """Run the work in a child, which ends with it whatever happens: it never comes back into the tests."""
    child = os.fork()
    if not child:
        failed = 1
        try:
            work()
            failed = 0
        finally:
            if failed:
                traceback.print_exc()
            os._exit(failed)
    return child


def killed(process: subprocess.Popen[str]) -> list[str]:
    """Kill it; the whole lines that it had printed and nobody had read.

    Read where the earlier lines were read: `communicate` does not know of what that reader holds back.
    """
    assert process.stdout is not None
    with process:
        process.kill()
        return [line.removesuffix("\n") for line in process.stdout if line.endswith("\n")]
