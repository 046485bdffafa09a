"""What a program on this host presents over TLS."""

from __future__ import annotations

import ssl

from springbench.measure.services.http import HOST

_HANDSHAKE_S = 3.0


def certificate_of(port: int) -> str | None:
    """The certificate, in PEM, that is presented there; None where nobody speaks TLS."""
    try:
        return ssl.get_server_certificate((HOST, port), timeout=_HANDSHAKE_S)
    except (OSError, ValueError):
        return None
