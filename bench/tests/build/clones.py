"""A clone and a host that can make what a runtime prepares."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from springbench.build.prepared import PreparationContext, with_prepared
from springbench.host.tools.find import Jdk, Tool
from springbench.matrix.rows import Matrix
from springbench.measure.testbed import Testbed
from springbench.messages import show_messages
from springbench.plan.cases import Variant
from springbench.plan.plan import make_plan
from tests.fakes import FakeRunning, FakeShell
from tests.measure.testbeds import testbed

JDK = Jdk(Path("/jdk-25"), "25.0.3", 25, "Somebody")
MAVEN = Tool("maven", Path("/usr/bin/mvn"), "3.8.7")


class Polite(FakeRunning):
    """A child that ends when it is asked to."""

    def signal(self, number: int) -> None:
        super().signal(number)
        if number == signal.SIGTERM:
            self.code = 143


@dataclass
class TrainingShell(FakeShell):
    """Children end on SIGTERM."""

    def start(self, *arguments: object, **options: object) -> FakeRunning:
        child = super().start(*arguments, **options)  # type: ignore[arg-type]
        polite = Polite(child.pid, child.code)
        self.children[-1] = polite
        return polite


@dataclass
class Clone:
    """A clone with one jar, and a host that can make whatever is asked."""

    root: Path
    matrix: Matrix
    shell: TrainingShell = field(default_factory=TrainingShell)
    messages: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        show_messages(self.messages.append)
        self.jar = self.root / "servers/boot4/tomcat/target/boot4-tomcat.jar"
        self.jar.parent.mkdir(parents=True)
        self.jar.write_bytes(b"jar")

    def variant(self, runtime: str, model: str = "virtual") -> Variant:
        cases = make_plan(self.matrix, "full").cases
        name = f"boot4-tomcat-{model}-{runtime}"
        return next(case.variant for case in cases if case.variant.id == name)

    def prepare(self, variant: Variant) -> Testbed:
        context = PreparationContext(JDK, MAVEN)
        return with_prepared(testbed(self.root, self.shell), [variant], context)

    def leaves(self, name: str) -> Callable[[], object]:
        """What a command does that makes this file, wherever it is told to."""

        def make() -> None:
            out = next(
                folder / "out"
                for command in reversed(self.shell.commands)
                for folder in (self.root / ".tools/prepared").iterdir()
                if str(folder) in command
            )
            (out / name).write_bytes(b"made!")

        return make
