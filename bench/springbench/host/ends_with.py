"""A command that ends with the process that starts it.

For any Python from 3.8 on, with nothing but its standard library: a load host reads it too.
"""

from __future__ import annotations

import os
import shutil
from typing import List  # noqa: UP035 - read by Python 3.8

# a parent that died before the kernel was asked to watch it is seen by its number
# (a shell adds variables of its own, which are no part of the environment that was asked for)
_CHECKED = '[ "$PPID" = "$0" ] || kill -KILL $$; unset PWD OLDPWD SHLVL; exec "$@"'


def ends_with_this(number: str) -> List[str]:  # noqa: UP006
    """What stands before a command so that it gets this signal when this process is gone.

    Each helper execs the next, so the process id stays the one that was started. Empty where
    nothing can do it.
    """
    if not shutil.which("setpriv"):
        return []
    command = ["setpriv", "--pdeathsig", number]
    # asked twice: a shell says less well what is wrong with a command
    return [*command, "sh", "-c", _CHECKED, str(os.getpid()), *command]
