"""The version of each Spring Boot line, which stands once, in the `pom.xml` of the clone. Pure."""

from __future__ import annotations

import re

from springbench.errors import ConfigurationError

_PROPERTY = re.compile(r"<(?P<line>\w+)\.version>(?P<version>[^<]+)</")


def versions_in(pom: str) -> dict[str, str]:
    """By line, as `boot4`: its version. Other versions of a `pom.xml` are among them."""
    return {found["line"]: found["version"].strip() for found in _PROPERTY.finditer(pom)}


def with_version(pom: str, line: str, version: str) -> str:
    """The `pom.xml` that builds that line with another version.

    Raises `ConfigurationError` where it does not name the line once.
    """
    pattern = re.compile(rf"(<{re.escape(line)}\.version>)[^<]+(</)")
    changed, count = pattern.subn(lambda found: f"{found[1]}{version}{found[2]}", pom)
    if count != 1:
        raise ConfigurationError(
            f"pom.xml: the property {line}.version stands there {count} times; "
            f"once is what `springbench releases` changes"
        )
    return changed
