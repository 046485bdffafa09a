"""Every mistake that a person can make, and the exit code that each one ends with."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes; the numbers are part of the command line's contract."""

    OK = 0
    REGRESSION = 1
    USAGE = 2
    HOST = 3
    CASES_FAILED = 4
    BUILD = 5
    SUSPECTED = 6
    UNDECIDED = 7
    INTERRUPTED = 130


class SpringbenchError(Exception):
    """A message for a person: what is wrong, where, what is allowed, what to do."""

    exit_code: ExitCode = ExitCode.USAGE


class ConfigurationError(SpringbenchError):
    """`matrix.toml`, an option, or a stored file is not what it must be."""

    exit_code = ExitCode.USAGE


class HostError(SpringbenchError):
    """The host lacks a tool, a right or a resource."""

    exit_code = ExitCode.HOST


class BuildError(SpringbenchError):
    """Sources, or an image, do not build; the message has the lines of the log that say why."""

    exit_code = ExitCode.BUILD


class CaseError(SpringbenchError):
    """One fork could not be measured; the run goes on with the next."""

    exit_code = ExitCode.CASES_FAILED
