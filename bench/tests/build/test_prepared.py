"""What a runtime makes of an artifact: once, from the right things, and reported when it fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.build.prepared import PreparationContext, with_prepared
from springbench.errors import BuildError
from springbench.host.tools.find import Tool
from springbench.measure.server.command import Start
from tests.build.clones import JDK, MAVEN, Clone
from tests.measure.testbeds import testbed


@pytest.fixture
def image(clone: Clone) -> Clone:
    clone.shell.answer("mvn", then=clone.leaves("server"))
    return clone


def test_a_runtime_that_prepares_nothing_costs_nothing(clone: Clone) -> None:
    ready = clone.prepare(clone.variant("jvm"))
    assert ready.prepared == {}
    assert clone.shell.calls == []
    assert ready.builds["boot4-tomcat-virtual-jvm"].artifact_bytes == 3
    assert ready.builds["boot4-tomcat-virtual-jvm"].build_s is None


def test_an_image_is_built_with_what_its_model_sets(image: Clone) -> None:
    variant = image.variant("native")
    ready = image.prepare(variant)
    [command] = image.shell.commands
    assert command.startswith("/usr/bin/mvn -B -ntp -DskipTests -Pnative -pl servers/boot4/tomcat")
    environment = image.shell.calls[0].env
    assert environment is not None
    assert environment["JAVA_HOME"] == "/jdk-25"
    assert "-Dspringbench.image=virtual" in command
    started = Start(variant).command(ready, 8123, image.root)
    assert started[0] == str(ready.prepared[variant.id] / "server")
    assert Path(started[0]).read_bytes() == b"made!"
    # less than a JVM gets: its collector copies
    assert started[1] == f"-Xmx{(1 << 30) * 44 // 100}"
    assert "-XX:+PrintGC" in started
    assert ready.builds[variant.id].artifact_bytes == 5


def test_the_second_time_nothing_is_made(image: Clone) -> None:
    variant = image.variant("native")
    assert image.prepare(variant).prepared == image.prepare(variant).prepared
    assert len(image.shell.calls) == 1
    assert len(image.messages) == 1


def test_another_artifact_jdk_or_row_is_made_anew_and_the_old_one_goes(image: Clone) -> None:
    variant = image.variant("native")
    image.prepare(variant)
    image.jar.write_bytes(b"raj")
    image.prepare(variant)
    other = variant.runtime.model_copy(update={"start": ("{prepared}/server",)})
    image.prepare(replace(variant, runtime=other))
    assert len(image.shell.calls) == 3
    assert len(list((image.root / ".tools/prepared").iterdir())) == 1


def test_one_model_does_not_remove_what_another_has_made(image: Clone) -> None:
    image.prepare(image.variant("native"))
    image.prepare(image.variant("native", "platform"))
    assert len(list((image.root / ".tools/prepared").iterdir())) == 2


def test_both_sides_of_a_comparison_keep_what_was_made_for_them(image: Clone) -> None:
    variant = image.variant("native")
    context = PreparationContext(JDK, MAVEN)
    base = with_prepared(testbed(image.root, image.shell), [variant], context)
    image.jar.write_bytes(b"raj")
    head = with_prepared(testbed(image.root, image.shell), [variant], context)
    assert base.prepared != head.prepared
    for side in (base, head):
        assert (side.prepared[variant.id] / "server").read_bytes() == b"made!"


def test_models_of_one_image_share_what_was_made(image: Clone) -> None:
    uncapped = image.variant("native", "virtual-uncapped")
    virtual = image.variant("native")
    assert list(image.prepare(uncapped).prepared.values()) == list(
        image.prepare(virtual).prepared.values()
    )
    assert len(image.shell.calls) == 1
    assert "-Dspringbench.image=virtual" in image.shell.commands[0]


def test_an_image_made_elsewhere_is_taken_from_beside_the_jars(image: Clone) -> None:
    jars = image.root / "jars"
    binary = jars / "boot4-tomcat-virtual-native" / "server"
    binary.parent.mkdir(parents=True)
    binary.write_bytes(b"image")
    binary.chmod(0o644)
    variant = image.variant("native", "virtual-uncapped")
    bed = replace(testbed(image.root, image.shell), jars=jars)
    ready = with_prepared(bed, [variant], PreparationContext(JDK, None))
    assert ready.prepared == {variant.id: binary.parent}
    assert binary.stat().st_mode & 0o111
    assert image.shell.calls == []


def test_a_result_says_what_made_its_image_wherever_that_was(
    image: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant, tool = image.variant("native"), Tool("native-image", Path("/g/bin/n"), "25.0.2")
    monkeypatch.setattr("springbench.build.prepared.find_native_image", lambda **_: tool)
    prepared = image.prepare(variant)
    assert prepared.builds[variant.id].made_with == "native-image 25.0.2"
    # it is no part of the image
    assert prepared.builds[variant.id].artifact_bytes == 5

    folder = image.root / "jars" / "boot4-tomcat-virtual-native"
    folder.mkdir(parents=True)
    (folder / "server").write_bytes(b"image")
    (folder / "made-with").write_text("native-image 24.0.1 2025-04-15\n", encoding="utf-8")
    bed = replace(testbed(image.root, image.shell), jars=folder.parent)
    context = PreparationContext(JDK, None)
    ready = with_prepared(bed, [variant], context)
    assert ready.builds[variant.id].made_with == "native-image 24.0.1"


def test_a_step_that_fails_is_reported_with_its_last_words(clone: Clone) -> None:
    clone.shell.answer("mvn", stdout="no such profile: native\n", code=1)
    with pytest.raises(BuildError) as caught:
        clone.prepare(clone.variant("native"))
    assert "maven ended with exit code 1" in str(caught.value)
    assert str(caught.value).endswith("no such profile: native")
    # what was begun is not taken for whole the next time
    clone.shell.answer("mvn", then=clone.leaves("server"))
    assert clone.prepare(clone.variant("native")).prepared


def test_one_that_fails_leaves_the_others_where_failures_are_kept(clone: Clone) -> None:
    clone.shell.answer("mvn", stdout="no memory\n", code=1)
    broken, plain = clone.variant("native"), clone.variant("jvm")
    context = PreparationContext(JDK, MAVEN, failures={})
    ready = with_prepared(testbed(clone.root, clone.shell), [broken, plain], context)
    assert ready.prepared == {}
    assert set(ready.builds) == {broken.id, plain.id}
    assert context.failures is not None
    assert "maven ended with exit code 1" in context.failures[broken.id]
    assert any("no memory" in line for line in clone.messages)


def test_a_step_that_leaves_nothing_is_reported(clone: Clone) -> None:
    with pytest.raises(BuildError, match="it left no server"):
        clone.prepare(clone.variant("native"))
