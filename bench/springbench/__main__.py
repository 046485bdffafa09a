"""The one place that exits."""

from __future__ import annotations

import signal
import sys

from springbench.errors import ExitCode, SpringbenchError
from springbench.github.step import summarise
from springbench.untrusted import one_line


def main() -> None:
    """Run the command line; a person's mistake ends in a message, never in a traceback."""
    try:
        code = _run()
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    # all is saved: one more Ctrl-C must not turn the exit code into another
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def _run() -> int:
    # imported here, so that Ctrl-C is caught while they load
    import typer  # noqa: PLC0415

    from springbench.cli import app  # noqa: PLC0415

    try:
        code = app(standalone_mode=False)
    except SpringbenchError as error:
        _report_error(str(error))
        return error.exit_code
    except typer.TyperException as error:
        # without a command the help has been printed already, and nothing is left to say
        if message := error.format_message():
            _report_error(f"{message.rstrip('.')}; --help lists what is allowed")
        return ExitCode.USAGE
    except typer.Abort:
        return ExitCode.INTERRUPTED
    return code if isinstance(code, int) else ExitCode.OK


def _report_error(message: str) -> None:
    summarise(message)
    for line in message.splitlines():
        print(f"springbench: {one_line(line)}", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
