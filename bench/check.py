"""Every check of the project, at one of three levels.

    bench/check.py check     linters, types, unit tests: less than a minute
    bench/check.py test      and all that a contributor must know: real processes of each kind, one
                             workflow of each kind, the contract of each server, every view
    bench/check.py all       everything, with types and tests of what evaluates the method
    bench/check.py test --only pytest -- -k lock     one step, with options for it

Steps run to the end whatever fails before them. Those that only read files, and unit tests in
`check`, share the CPUs; every other has the host for itself, since some of them measure. The
closing lines count the tests of each language by level, name those that were slow and those that
were skipped, and say what failed. Needs what `bench/bootstrap.sh --dev` sets up. Exits with 0 when
all passed, else 1.
"""

from __future__ import annotations

import argparse
import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

TOP = Path(__file__).resolve().parent.parent
BENCH, SITE, TOOLS = TOP / "bench", TOP / "site", TOP / ".tools"
BIN = TOP / ".venv" / "bin"
REPORTS = TOOLS / "test"
LEVELS = ("check", "test", "all")
SLOW_S = 3.0
MESSAGE_CHARACTERS = 200
UNIT = "not process and not system"
# below `all` each server is held to its contract in one thread model, on its newest line of Boot
ONE_MODEL = "virtual,reactive"


class SkippedError(Exception):
    """A step cannot run here; the text says why, and what would let it."""


@dataclass(frozen=True)
class Step:
    """One command. `since` is the first level that has it.

    `command` makes the command at a level, or raises `SkippedError`; None for nothing to do.
    `shares` names the levels at which it runs beside others.
    """

    name: str
    folder: Path
    command: Callable[[str], Sequence[str | Path] | None]
    since: str = "check"
    shares: Sequence[str] = ()
    junit: str | None = None


@dataclass
class Ended:
    """What became of a step: its seconds, and its fault, if any."""

    name: str
    took_s: float
    fault: str = ""
    output: str = ""


def reader(name: str, folder: Path, *command: str | Path) -> Step:
    """A step that only reads files."""
    return Step(name, folder, lambda _: command, shares=LEVELS)


def npm(name: str, script: str, since: str = "check", *, reads: bool = False) -> Step:
    """A script of the site's package."""
    shares = LEVELS if reads else ()
    return Step(name, SITE, lambda _: site("run", "--silent", script), since, shares)


def site(*words: str) -> list[str]:
    """A command of npm. Raises `SkippedError` without Node."""
    found = shutil.which("npm")
    if found is None:
        raise SkippedError("Node is not installed; bench/bootstrap.sh --dev installs it")
    return [found, *words]


def vitest(name: str, script: str, junit: str, since: str) -> Step:
    """Tests of the site; below `all` a browser makes one pass over every view."""

    def command(level: str) -> list[str] | None:
        if is_unchanged(name, level):
            not_run_again(name)
            return None
        script_ = f"{script}:pass" if script == "test:browser" and level != "all" else script
        report = f"--outputFile.junit={REPORTS / junit}"
        return site(
            *("run", "--silent", script_, "--", "--reporter=default", "--reporter=junit", report)
        )

    return Step(name, SITE, command, since, LEVELS if script == "test" else (), junit)


def install_packages(_: str) -> list[str] | None:
    """What is installed is kept inside, so that it goes with it."""
    lock, installed_lock = SITE / "package-lock.json", SITE / "node_modules" / "installed"
    if installed_lock.is_file() and filecmp.cmp(lock, installed_lock, shallow=False):
        return None
    install = "npm ci --prefer-offline --no-progress && cp package-lock.json node_modules/installed"
    return ["sh", "-c", install] if site() else None


def scripts(_: str) -> list[str | Path]:
    """Every shell script of the project."""
    patterns = ("bench/*.sh", "site/*.sh", ".ci/run", ".github/actions/*.sh")
    nested = (".github/actions/*/*.sh", "bench/tests/workflows/stand_ins/*/*.sh")
    found = [path for pattern in (*patterns, *nested) for path in sorted(TOP.glob(pattern))]
    return [BIN / "shellcheck", "--external-sources", f"--source-path={TOP}", *found]


def actionlint(_: str) -> list[str | Path]:
    """Workflow files. It looks for them from where it is called."""
    if not (TOOLS / "bin" / "actionlint").is_file():
        raise SkippedError(
            "actionlint is not installed; bench/bootstrap.sh --dev installs it with Go"
        )
    return [TOOLS / "bin" / "actionlint", "-shellcheck", BIN / "shellcheck"]


def pytest(level: str) -> list[str | Path]:
    """Tests of the harness; those marked as exclusive wait until they are alone."""
    # many wait for processes, so there are more than CPUs; unit tests never wait
    workers = (os.cpu_count() or 1) + (2 if level != "check" else 0)
    marks = {"check": UNIT, "test": "not system", "all": ""}
    if is_unchanged("pytest", level):
        not_run_again("tests of Python with processes")
        marks[level] = UNIT
    options: list[str | Path] = [BIN / "pytest", "-n", str(workers), "-m", marks[level]]
    if level != "check":  # a few at a time, for some take a minute
        options += ["--maxschedchunk", "2"]
    # what passed needs its files no longer, and they may lie in memory
    options += ["--override-ini", "tmp_path_retention_policy=failed"]
    if level != "all":
        options += ["--hypothesis-profile", "quick"]
    return [*options, "--junit-xml", REPORTS / "pytest.xml"]


# what evaluates the method is apart: nothing that a contributor changes there or must know
EVALUATION = ("types of evaluation/", "tests of evaluation/")


def evaluation_tests(_: str) -> list[str | Path]:
    """Tests of the scripts that evaluate the method."""
    report = REPORTS / "evaluation.xml"
    return [BIN / "pytest", "evaluation/tests", "--junit-xml", report]


# --- What passed on the very same files is not run again by `test`: it says so --------------------

PASSED_STEPS = TOOLS / "passed.json"
CACHED_STEPS = ("pytest", "browser tests")


def tree_digest() -> str:
    """Of every file that git tracks, or sees and does not ignore."""
    command = ["git", "-C", str(TOP), "ls-files", "-coz", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.split(b"\0")
    total = hashlib.sha256()
    for name in sorted(filter(None, listed)):
        file = TOP / os.fsdecode(name)
        if file.is_file():
            total.update(name + b" " + file_digest(file).encode())
    return total.hexdigest()


def is_unchanged(step: str, level: str) -> bool:
    """Whether a step has passed on these files, and need not be run again."""
    if level != "test" or step not in CACHED_STEPS or not PASSED_STEPS.is_file():
        return False
    passed: dict[str, str] = json.loads(PASSED_STEPS.read_text("utf-8"))
    return passed.get(step) == tree_digest()


NOT_RUN_AGAIN: list[str] = []


def not_run_again(what: str) -> None:
    """Say so: now, and in the closing lines."""
    NOT_RUN_AGAIN.append(what)
    print(
        "nothing has changed since they passed; rm -r .tools/passed.json .tools/verify reruns all"
    )


def note_passed(step: str) -> None:
    """A step has passed on the files as they are."""
    passed = json.loads(PASSED_STEPS.read_text("utf-8")) if PASSED_STEPS.is_file() else {}
    passed[step] = tree_digest()
    PASSED_STEPS.write_text(json.dumps(passed), encoding="utf-8")


# --- Maven: modules whose sources passed before are built, and not tested again ------------------

VERIFY = TOOLS / "verify"
VERIFIED = VERIFY / "verified.json"
# tells a module's build that its tests have passed; a profile of servers/pom.xml reads it
PASSED = "target/verified"


def maven(level: str) -> list[str | Path] | None:
    """Servers and slow upstream: each kept to its contract, in one thread model or in all."""
    mvn, jdk = shutil.which("mvn"), find_jdk()
    if mvn is None or jdk is None:
        raise SkippedError("no Maven or no JDK 25; make setup installs them")
    os.environ["JAVA_HOME"] = jdk
    # a build of two minutes does not earn back what the second compiler takes
    os.environ.setdefault("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    digests = module_digests(TOP, jdk)
    left = unverified(digests, level)
    if level != "all":
        left -= older_lines(digests)
    if not left:
        not_run_again("Maven verify")
        return None
    copy_sources(TOP, VERIFY)
    for module in digests:
        mark = VERIFY / module / PASSED
        mark.unlink(missing_ok=True)
        if module not in left:
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
        elif (reports := VERIFY / module / "target").is_dir():
            for old in ("surefire-reports", "failsafe-reports"):
                shutil.rmtree(reports / old, ignore_errors=True)
    print(f"the tests of {len(left)} of {len(digests)} modules run")
    options = [] if level == "all" else [f"-Dtest.models={ONE_MODEL}", "-Dimages.skip=true"]
    # five modules start servers and wait for them; none of them should wait for another one's end
    command = [mvn, "--batch-mode", "--no-transfer-progress", "--threads", "6", *options, "verify"]
    return ["sh", "-c", f'cd "{VERIFY}" && "$@"', "sh", *command]


def older_lines(modules: Iterable[str]) -> set[str]:
    """Of modules like `servers/boot3/jetty` those whose server a newer line of Boot has too."""
    lines: dict[str, list[tuple[int, str]]] = {}
    for module in modules:
        if found := re.fullmatch(r"servers/boot(\d+)/(.+)", module):
            lines.setdefault(found[2], []).append((int(found[1]), module))
    return {module for entries in lines.values() for _, module in sorted(entries)[:-1]}


def find_jdk() -> str | None:
    """The JDK that servers are built with."""
    command = [str(BIN / "python"), "-m", "springbench.host.tools.find"]
    done = subprocess.run(command, cwd=BENCH, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def module_digests(top: Path, jdk: str) -> dict[str, str]:
    """Of each Maven module all that its build reads: its files, and those of modules it needs."""
    poms = [top / "pom.xml", *sorted((top / "servers").glob("**/pom.xml"))]
    folders = {
        # what a parent manages is not what its children need
        pom.parent: re.sub(r"(?s)<dependencyManagement>.*?</dependencyManagement>", "", text)
        for pom in poms
        if in_sources(pom) and (text := pom.read_text(encoding="utf-8"))
    }
    by_name = {
        found[1]: at
        for at, text in folders.items()
        if (
            found := re.search(r"<artifactId>(.+?)<", re.sub(r"(?s)<parent>.*?</parent>", "", text))
        )
    }
    shared = f"{jdk} {file_digest(top / 'bench/matrix.toml')}"
    known: dict[Path, str] = {}

    def digest(at: Path) -> str:
        if at not in known:
            known[at] = ""  # a cycle is Maven's to refuse
            total = hashlib.sha256(shared.encode())
            needs = set(re.findall(r"<artifactId>(.+?)</artifactId>", folders[at])) & set(by_name)
            for other in sorted(by_name[name] for name in needs if by_name[name] != at):
                total.update(digest(other).encode())
            for file in sorted(own_files(at, folders)):
                total.update(f"{file.relative_to(top)} {file_digest(file)} ".encode())
            known[at] = total.hexdigest()
        return known[at]

    tested = [at for at in folders if (at / "src").is_dir()]
    return {at.relative_to(top).as_posix(): digest(at) for at in tested}


def own_files(at: Path, modules: dict[Path, str]) -> Iterator[Path]:
    """The files of a module, without those of modules inside it and of builds."""
    if at == TOP:
        yield at / "pom.xml"
        return
    for entry in at.iterdir():
        if entry.is_file():
            yield entry
        elif entry.name != "target" and entry not in modules:
            yield from (path for path in entry.rglob("*") if path.is_file() and in_sources(path))


def in_sources(path: Path) -> bool:
    """Whether no build made it."""
    return "target" not in path.relative_to(TOP).parts


def file_digest(file: Path) -> str:
    """Of its content."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def unverified(digests: dict[str, str], level: str) -> set[str]:
    """Modules that have not passed at this level, or a higher one, as they are."""
    passed = json.loads(VERIFIED.read_text("utf-8")) if VERIFIED.is_file() else {}
    fitting = LEVELS[LEVELS.index(level) :]
    return {
        module
        for module, digest in digests.items()
        if not any(passed.get(fitting_level, {}).get(module) == digest for fitting_level in fitting)
    }


def note_verified(level: str) -> None:
    """All modules have passed at this level."""
    jdk = find_jdk()
    passed = json.loads(VERIFIED.read_text("utf-8")) if VERIFIED.is_file() else {}
    passed[level] = module_digests(TOP, jdk or "")
    VERIFIED.write_text(json.dumps(passed, indent=1), encoding="utf-8")


def copy_sources(top: Path, to: Path) -> None:
    """Make a copy as the sources are now; what builds have left in it stays.

    In a copy, since tests of the harness build the same jars in their own way.
    """
    sources = {top / "pom.xml", top / "bench" / "matrix.toml"}
    for folder in (".mvn", "servers"):
        sources |= {
            path for path in (top / folder).rglob("*") if path.is_file() and in_sources(path)
        }
    copies = {to / path.relative_to(top) for path in sources}
    for folder in (".mvn", "servers"):
        for path in (to / folder).rglob("*"):
            if path.is_file() and "target" not in path.relative_to(to).parts and path not in copies:
                path.unlink()
    for path in sources:
        copy = to / path.relative_to(top)
        if not (copy.is_file() and filecmp.cmp(path, copy, shallow=False)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)


# --- The steps, in their order -------------------------------------------------------------------

STEPS = (
    Step("npm ci", SITE, install_packages),
    vitest("vitest", "test", "vitest.xml", "check"),
    reader("mypy", BENCH, BIN / "mypy", "springbench", "tests", "check.py"),
    reader("ruff check", BENCH, BIN / "ruff", "check", "."),
    reader("ruff format", BENCH, BIN / "ruff", "format", "--check", "."),
    reader("import-linter", BENCH, BIN / "lint-imports"),
    Step("shellcheck", TOP, scripts, shares=LEVELS),
    Step("actionlint", TOP, actionlint, shares=LEVELS),
    reader(
        *("zizmor", TOP, BIN / "zizmor", "--offline", "--pedantic", "--no-progress", "--quiet"),
        *(".github", "action.yml"),
    ),
    npm("site lint", "lint", reads=True),
    npm("site types", "types:check", reads=True),
    npm("tsc", "typecheck", reads=True),
    npm("vite build", "build", "test"),
    npm("report page", "report-page", "test"),
    # minutes of building, once; tests at a constant rate need it
    Step("oha", BENCH, lambda _: [BIN / "python", "-m", "springbench.build.oha"], "all"),
    Step("pytest", BENCH, pytest, shares=("check",), junit="pytest.xml"),
    Step(EVALUATION[0], BENCH, lambda _: [BIN / "mypy", "evaluation"], "all"),
    Step(EVALUATION[1], BENCH, evaluation_tests, "all", junit="evaluation.xml"),
    Step("Maven verify", TOP, maven, "test"),
    vitest("browser tests", "test:browser", "vitest-browser.xml", "test"),
)


MEMORY_FILES = Path("/dev/shm")  # noqa: S108  # only a folder of our own in it is used
REQUIRED_MEMORY_BYTES = 6 << 30


@contextmanager
def temporary_folder() -> Iterator[None]:
    """Let temporary files lie in memory where there is room for them and for the servers.

    Tests check out thousands of small files and remove them again, which keeps a disk busy for
    longer than the tests take.
    """
    free_bytes = 0
    if MEMORY_FILES.is_dir() and os.access(MEMORY_FILES, os.W_OK):
        known = Path("/proc/meminfo").read_text("utf-8")
        available = re.search(r"MemAvailable: *(\d+) kB", known)
        memory_bytes = int(available[1]) * 1024 if available else 0
        free_bytes = min(shutil.disk_usage(MEMORY_FILES).free, memory_bytes)
    if free_bytes < REQUIRED_MEMORY_BYTES:
        yield
        return
    # a short name, for paths of sockets have 107 bytes; with the rights that such folders have
    with tempfile.TemporaryDirectory(prefix="sb", dir=MEMORY_FILES) as folder:
        Path(folder).chmod(0o1777)
        os.environ["TMPDIR"] = folder
        yield


def run(step: Step, level: str, extra: Sequence[str], *, quietly: bool = False) -> Ended:
    """Run a step; what it says is kept where it runs beside others, and shown where it does not."""
    began_s = time.monotonic()
    ended = Ended(step.name, 0.0)
    if not quietly:
        print(f"\n== {step.name}", flush=True)
    try:
        command = step.command(level)
    except SkippedError as why:
        ended.output = f"skipped: {why}"
        # there nobody reads what was left out
        ended.fault = "skipped" if os.environ.get("CI") == "true" else ""
        if not quietly:
            print(ended.output)
        return ended
    if command is not None:
        done = subprocess.run(
            [*map(str, command), *extra],
            cwd=step.folder,
            stdout=subprocess.PIPE if quietly else None,
            stderr=subprocess.STDOUT if quietly else None,
            text=True,
            check=False,
        )
        ended.output = done.stdout or ""
        ended.fault = f"exit code {done.returncode}" if done.returncode else ""
    ended.took_s = time.monotonic() - began_s
    return ended


def run_all(steps: Sequence[Step], level: str, extra: Sequence[str]) -> list[Ended]:
    """All steps, in their order; those that share the CPUs side by side, the longest first."""
    ended: list[Ended] = []
    sharing = [step for step in steps if level in step.shares]
    for step in steps:
        if step not in sharing:
            ended.append(run(step, level, extra))
        elif step is sharing[0]:
            ended += run_side_by_side(sharing, level, extra)
        else:
            continue
        well = not ended[-1].fault and not ended[-1].output
        if step.name == "Maven verify" and well:
            note_verified(level)
        if step.name in CACHED_STEPS and well and level != "check" and not extra:
            note_passed(step.name)
    return ended


def run_side_by_side(steps: Sequence[Step], level: str, extra: Sequence[str]) -> Iterator[Ended]:
    """Steps side by side; each is shown once it has ended."""
    slowest_first = sorted(steps, key=lambda step: step.name not in ("pytest", "mypy"))
    print(f"\n== side by side: {', '.join(step.name for step in slowest_first)}", flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        begun = [pool.submit(run, step, level, extra, quietly=True) for step in slowest_first]
        for done in as_completed(begun):
            result = done.result()
            print(f"\n== {result.name}\n{result.output.rstrip()}", flush=True)
            yield result


# --- What is said in the end ---------------------------------------------------------------------


@dataclass
class Tally:
    """Tests of a language by how they ended, by level; those slower than `SLOW_S`, and skips."""

    passed: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    skipped: list[str] = field(default_factory=list)
    slow: list[tuple[float, str, str]] = field(default_factory=list)

    def add(self, report: Path, level: str) -> None:
        """Count the cases of one JUnit report; `level` is theirs where they name none."""
        for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314  # of our own tools
            tags = {child.tag for child in case}
            named = [
                element.get("value", "")
                for element in case.iter("property")
                if element.get("name") == "level"
            ]
            test_level, name = (named or [level])[0], f"{case.get('classname')}::{case.get('name')}"
            if tags & {"failure", "error"}:
                self.failed += 1
            elif "skipped" in tags:
                reason = next(child for child in case if child.tag == "skipped")
                # of Java the message is in the text
                message = " ".join((reason.get("message") or reason.text or "").split())
                self.skipped.append(f"{name}: {message[:MESSAGE_CHARACTERS]}")
            else:
                self.passed[test_level] += 1
            if (took_s := float(case.get("time", "0"))) > SLOW_S:
                self.slow.append((took_s, test_level, name))

    def __str__(self) -> str:
        levels = ", ".join(f"{count} {level}" for level, count in sorted(self.passed.items()))
        of_levels = f" ({levels})" if levels else ""
        counts = f"{self.passed.total()} passed, {self.failed} failed, {len(self.skipped)} skipped"
        return f"{counts}{of_levels}"


def tallies(reports: Path, copy: Path, since_s: float = 0.0) -> dict[str, Tally]:
    """By language, from what the runners of tests have written since a time of the epoch."""
    found = {"Python": Tally(), "Java": Tally(), "Site": Tally()}
    for report in sorted(reports.glob("*.xml")):
        is_site = report.name.startswith("vitest")
        of_browser = "process" if "browser" in report.name else "unit"
        found["Site" if is_site else "Python"].add(report, of_browser if is_site else "unit")
    for folder in ("surefire-reports", "failsafe-reports"):
        for report in sorted((copy / "servers").glob(f"**/target/{folder}/TEST-*.xml")):
            if report.stat().st_mtime < since_s:
                continue  # of a module that was not tested again
            found["Java"].add(report, "process")
    return found


def summary(ended: Sequence[Ended], found: dict[str, Tally]) -> tuple[list[str], bool]:
    """The closing lines, and whether all is well."""
    lines = [f"{step.took_s:5.0f} s {step.name}" for step in sorted(ended, key=lambda e: -e.took_s)]
    slow = sorted((test for tally in found.values() for test in tally.slow), reverse=True)
    if slow:
        lines += ["", f"{len(slow)} tests took more than {SLOW_S:.0f} s:"]
        lines += [f"{took_s:5.0f} s {level:8} {name}" for took_s, level, name in slow]
    skipped = [test for tally in found.values() for test in tally.skipped]
    lines += ["", *(f"skipped: {test}" for test in skipped)]
    if NOT_RUN_AGAIN:
        lines.append(f"not run again, for nothing has changed: {', '.join(NOT_RUN_AGAIN)}")
    lines += [f"{name + ':':7} {tally}" for name, tally in found.items()]
    faults = [f"{step.name} ({step.fault})" for step in ended if step.fault]
    if faults:
        lines.append(f"failed: {', '.join(faults)}")
    failed = sum(tally.failed for tally in found.values())
    # a linter, or a build that did not get as far as its tests, counts as one failure
    failed = max(failed, len(faults))
    passed = sum(tally.passed.total() for tally in found.values())
    lines.append(f"{passed} passed, {failed} failed, {len(skipped)} skipped")
    return lines, not failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks of a level, and say what came of them."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n\n")[0],
        epilog="example: bench/check.py test --only pytest -- -k lock",
    )
    parser.add_argument("level", choices=LEVELS, help="how much: unit, process, all")
    parser.add_argument("--only", metavar="STEP", action="append", help="this step; repeatable")
    parser.add_argument("options", nargs="*", help="for the one step of --only")
    args = parser.parse_intermixed_args(arguments)
    names = {step.name for step in STEPS}
    if unknown := [name for name in args.only or () if name not in names]:
        parser.error(f"no step {unknown[0]!r}; there are: {', '.join(s.name for s in STEPS)}")
    if args.options and len(args.only or ()) != 1:
        parser.error("options are for one step: name it with --only")
    since = LEVELS[: LEVELS.index(args.level) + 1]
    steps = [
        step for step in STEPS if step.since in since and (not args.only or step.name in args.only)
    ]
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    os.environ["PATH"] = f"{TOOLS / 'node' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    # every test process would compile the package anew where nothing of that is kept
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    began_s = time.time()
    try:
        with temporary_folder():
            ended = run_all(steps, args.level, args.options)
    except KeyboardInterrupt:
        return 130
    copy = VERIFY if any(step.name == "Maven verify" for step in steps) else REPORTS
    lines, well = summary(ended, tallies(REPORTS, copy, began_s))
    print("\n" + "\n".join(lines))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
