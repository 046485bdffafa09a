"""The key and certificate that servers answer with over TLS: made once, the same for all of them.

`keytool` comes with every JDK, and writes what Spring Boot reads. Who measures trusts this one
certificate and no other.
"""

from __future__ import annotations

import shutil
import ssl
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from springbench.errors import HostError
from springbench.host.shell import Shell

# P-256, as most certificates of the web have; RSA would make handshakes cost more, not requests
KEY = ("-keyalg", "EC", "-groupname", "secp256r1", "-sigalg", "SHA256withECDSA")
# of a key that opens nothing: who can read the file is its owner alone
PASSWORD = "springbench"  # noqa: S105
_STORE, _CERTIFICATE = "server.p12", "server.pem"
_DAYS = "3650"
_PATIENCE_S = 60.0


@dataclass(frozen=True)
class KeyStore:
    """A folder with the key, for servers, and its certificate, for who asks them."""

    folder: Path

    @property
    def certificate(self) -> Path:
        """In PEM."""
        return self.folder / _CERTIFICATE

    @property
    def places(self) -> Mapping[str, str]:
        """Values for the places of a protocol's properties."""
        store = (self.folder / _STORE).absolute()
        return {"key_store": str(store), "key_store_password": PASSWORD}


@cache
def trust(certificate: Path, *protocols: str) -> ssl.SSLContext:
    """Accepts this certificate, whatever address the server has, and offers it these protocols."""
    context = ssl.create_default_context(cafile=str(certificate))
    if protocols:
        context.set_alpn_protocols(protocols)
    context.check_hostname = False
    # Python 3.13 asks certificates for extensions that keytool does not write
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    # one that was signed by another is trusted by itself
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def provide_key_store(folder: Path, java_home: Path, shell: Shell) -> KeyStore:
    """The key store of a folder, made there where there is none. Raises `HostError`."""
    if (folder / _CERTIFICATE).is_file():
        return KeyStore(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # whole or not at all, whatever ends this; nobody else can read it
    new_folder = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
    try:
        _make(new_folder, str(java_home / "bin" / "keytool"), shell)
        with suppress(OSError):
            # another process may have been sooner
            new_folder.rename(folder)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)
    if not (folder / _CERTIFICATE).is_file():
        raise HostError(f"{folder} holds no {_CERTIFICATE}; delete it, and it is made again")
    return KeyStore(folder)


def _make(folder: Path, keytool: str, shell: Shell) -> None:
    store = ("-keystore", str(folder / _STORE), "-storetype", "PKCS12", "-storepass", PASSWORD)
    subject = ("-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1")
    certificate = ("-exportcert", "-rfc", "-alias", "server", "-file", str(folder / _CERTIFICATE))
    for command in (
        [keytool, "-genkeypair", "-alias", "server", *KEY, "-validity", _DAYS, *subject, *store],
        [keytool, *certificate, *store],
    ):
        done = shell.run(command, timeout_s=_PATIENCE_S)
        if done.code:
            output = (done.stdout + done.stderr).strip().splitlines()
            raise HostError(f"keytool made no key: {output[0] if output else done.code}")
