"""A child process that is killed in the middle of its work."""

import os
import signal
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
