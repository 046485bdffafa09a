"""A JDK for the clone: where it comes from, and that a wrong one is refused."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cjdk
import pytest

from springbench.errors import ExitCode, HostError
from springbench.host.tools.find import find_jdk
from springbench.host.tools.install import bring_jdk
from springbench.host.tools.packages import Platform
from springbench.host.tools.search import Search

pytestmark = pytest.mark.process

LINUX = Platform("linux", "Fedora Linux 43", "x86_64", None, root=False, sudo=False)
MACOS = Platform("darwin", "macOS", "arm64", None, root=False, sudo=False)


def answer(link: str = "https://host.invalid/jdk.tar.gz", checksum: str = "ab") -> bytes:
    asset = {
        "binary": {"package": {"link": link, "checksum": checksum}},
        "version": {"openjdk_version": "25.0.3+9-LTS"},
    }
    return json.dumps([asset]).encode()


def archive(inside: str) -> bytes:
    """A small JDK, packed as Adoptium packs the real ones."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in (
            ("bin/java", "#!/bin/sh\n"),
            ("bin/javac", "#!/bin/sh\n"),
            ("release", 'JAVA_VERSION="25.0.3"\nIMPLEMENTOR="Eclipse Adoptium"\n'),
        ):
            member = tarfile.TarInfo(f"{inside}/{name}")
            member.size, member.mode = len(text), 0o755
            tar.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


class Download:
    """Stands in for cjdk: unpacks what it was given, and records what it was asked."""

    def __init__(self, inside: str) -> None:
        self.inside = inside
        self.requests: list[tuple[str, str, str]] = []

    def __call__(self, name: str, link: str, sha256: str, tools: Path) -> Path:
        self.requests.append((name, link, sha256))
        folder = tools / "downloads/1234"
        with tarfile.open(fileobj=io.BytesIO(archive(self.inside))) as tar:
            # made above; early 3.11 releases have no extraction filters
            tar.extractall(folder)  # noqa: S202
        return folder


@pytest.mark.parametrize(
    ("platform", "inside", "query"),
    [
        (LINUX, "jdk-25.0.3+9", "architecture=x64&image_type=jdk&os=linux&vendor=eclipse"),
        (MACOS, "jdk-25.0.3+9/Contents/Home", "architecture=aarch64&image_type=jdk&os=mac"),
    ],
)
def test_it_lands_where_the_search_finds_it(
    tmp_path: Path, platform: Platform, inside: str, query: str
) -> None:
    urls: list[str] = []
    download = Download(inside)

    def fetch(url: str) -> bytes:
        urls.append(url)
        return answer()

    home = bring_jdk(tmp_path, platform, fetch=fetch, unpack=download)

    assert query in urls[0]
    assert download.requests == [("JDK 25.0.3", "https://host.invalid/jdk.tar.gz", "ab")]
    assert home == tmp_path / ".tools/jdk-25.0.3"
    found = find_jdk(search=Search(filesystem=tmp_path / "none", clone=tmp_path))
    assert found is not None
    assert (found.home, found.major) == (home, 25)


def test_a_clone_that_moves_takes_its_jdk_along(tmp_path: Path) -> None:
    bring_jdk(tmp_path / "a", LINUX, fetch=lambda _: answer(), unpack=Download("jdk"))
    (tmp_path / "a").rename(tmp_path / "b")
    assert find_jdk(search=Search(filesystem=tmp_path / "none", clone=tmp_path / "b")) is not None


def forbidden(_: str) -> bytes:
    raise OSError("Name or service not known")


@pytest.mark.parametrize(
    "fetch",
    [
        forbidden,
        lambda _: b"[]",
        lambda _: b"<html>sign in to the network</html>",
        lambda _: answer(link="http://host.invalid/jdk.tar.gz"),
    ],
)
def test_without_a_download_it_says_what_to_install_by_hand(tmp_path: Path, fetch: Any) -> None:
    with pytest.raises(HostError) as caught:
        bring_jdk(tmp_path, LINUX, fetch=fetch, unpack=Download("jdk"))
    assert caught.value.exit_code is ExitCode.HOST
    assert "Install a JDK 25 or newer by hand" in str(caught.value)
    assert "JAVA_HOME" in str(caught.value)


def test_a_machine_without_a_build_is_reported(tmp_path: Path) -> None:
    odd = Platform("freebsd", "FreeBSD", "riscv64", None, root=False, sudo=False)
    with pytest.raises(HostError, match="no build for freebsd riscv64"):
        bring_jdk(tmp_path, odd)


def test_an_archive_without_a_compiler_is_refused(tmp_path: Path) -> None:
    def unpack(name: str, link: str, sha256: str, tools: Path) -> Path:
        (tools / "empty").mkdir(parents=True)
        return tools / "empty"

    with pytest.raises(HostError, match="holds no JDK"):
        bring_jdk(tmp_path, LINUX, fetch=lambda _: answer(), unpack=unpack)


@pytest.fixture
def local_server(tmp_path: Path) -> Iterator[str]:
    served = tmp_path / "served"
    served.mkdir()
    (served / "jdk.tar.gz").write_bytes(archive("jdk-25"))

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"tgz+http://127.0.0.1:{server.server_port}/jdk.tar.gz"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("right", [True, False])
def test_the_installer_compares_the_checksum(
    tmp_path: Path, local_server: str, right: bool
) -> None:
    """What the project relies on: cjdk leaves nothing behind when the checksum differs."""
    served = hashlib.sha256((tmp_path / "served/jdk.tar.gz").read_bytes()).hexdigest()
    options: dict[str, Any] = {
        "cache_dir": tmp_path / "downloads",
        "progress": False,
        "_allow_insecure_for_testing": True,
    }
    if right:
        folder = cjdk.cache_package("jdk", local_server, sha256=served, **options)
        assert (Path(folder) / "jdk-25/bin/javac").exists()
    else:
        with pytest.raises(RuntimeError):
            cjdk.cache_package("jdk", local_server, sha256=served[::-1], **options)
        assert list(tmp_path.glob("downloads/**/javac")) == []
