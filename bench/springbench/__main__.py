"""The one place that exits."""

from __future__ import annotations

import sys

import click

from springbench.errors import ExitCode, SpringbenchError


def main() -> None:
    """Run the command line; a person's mistake ends in a message, never in a traceback."""
    from springbench.cli import app  # noqa: PLC0415 - Ctrl-C during a slow import is caught too

    try:
        code = app(standalone_mode=False)
    except SpringbenchError as error:
        for line in str(error).splitlines():
            print(f"springbench: {line}", file=sys.stderr)  # noqa: T201
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(ExitCode.USAGE)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(ExitCode.INTERRUPTED)
    sys.exit(code if isinstance(code, int) else ExitCode.OK)


if __name__ == "__main__":
    main()
