"""Which file is started: a jar is never taken for another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.matrix.load import parse_matrix
from springbench.measure.testbed import artifact_of
from springbench.plan.cases import Variant, every_variant
from tests.project.projects import write_jar

ROUTE = '[[routes]]\npath = "/"\n'


def variant_of(started: str, folder: Path) -> Variant:
    [variant] = list(every_variant(parse_matrix(f"{started}\n{ROUTE}", "springbench.toml", folder)))
    return variant


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


@pytest.mark.parametrize("other", ["plain", "sources", "tests", "stubs", "anything"])
def test_what_a_build_leaves_beside_its_jar_is_not_meant(tmp_path: Path, other: str) -> None:
    variant = variant_of('jar = "target/orders-*.jar"', tmp_path)
    assert artifact_of(variant, tmp_path, None) == tmp_path / "target/orders-*.jar"
    write_jar(tmp_path / "target/orders-1.0.jar")
    write_jar(tmp_path / f"target/orders-1.0-{other}.jar", main_class="")
    touch(tmp_path / "target", "orders-1.0-empty.jar")
    assert artifact_of(variant, tmp_path, None) == tmp_path / "target/orders-1.0.jar"
    write_jar(tmp_path / "target/orders-1.1.jar")
    with pytest.raises(ConfigurationError) as caught:
        artifact_of(variant, tmp_path, None)
    assert str(caught.value) == (
        f"{tmp_path}/target/orders-*.jar: several files are meant by it: orders-1.0.jar, "
        "orders-1.1.jar; name one, or remove those of older builds"
    )


@pytest.mark.parametrize("jar", ["**/app-*.jar", "a/*/app-1.jar", "a/b/app-1.jar"])
def test_folders_may_be_a_glob_too(tmp_path: Path, jar: str) -> None:
    touch(tmp_path, "a/b/app-1.jar")
    expected = tmp_path / "a/b/app-1.jar"
    assert artifact_of(variant_of(f'jar = "{jar}"', tmp_path), tmp_path, None) == expected
    # a path that is whole already, in a folder that none of them is in
    other_variant = variant_of(f'jar = "{tmp_path}/{jar}"', tmp_path / "other")
    assert artifact_of(other_variant, tmp_path, None) == expected


def test_signs_of_a_glob_in_the_name_of_a_folder_are_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "[v]*"
    touch(folder, "app-1.jar", "[x].jar")
    for pattern, expected_name in (("app-*.jar", "app-1.jar"), ("[x].jar", "[x].jar")):
        variant = variant_of(f'jar = "{pattern}"', folder)
        assert artifact_of(variant, folder, None) == folder / expected_name


def test_a_given_folder_with_another_version_is_where_the_jar_comes_from(tmp_path: Path) -> None:
    touch(tmp_path, "target/orders-1.0.jar", "old/orders-0.9-plain.jar")
    write_jar(tmp_path / "old/orders-0.9.jar")
    variant = variant_of('jar = "target/orders-*.jar"', tmp_path)
    assert artifact_of(variant, tmp_path, tmp_path / "old") == tmp_path / "old/orders-0.9.jar"


def test_a_jar_that_the_given_folder_lacks_is_missing_and_never_the_one_at_hand(
    tmp_path: Path,
) -> None:
    touch(tmp_path, "target/orders-1.0.jar", "old/other.jar")
    variant = variant_of('jar = "target/orders-*.jar"', tmp_path)
    assert not artifact_of(variant, tmp_path, tmp_path / "old").is_file()


def test_the_file_of_a_command_may_stay_where_it_is(tmp_path: Path) -> None:
    touch(tmp_path, "serve", "new/serve", "none/other")
    variant = variant_of('command = ["./serve", "{port}"]', tmp_path)
    assert artifact_of(variant, tmp_path, tmp_path / "none") == tmp_path / "serve"
    assert artifact_of(variant, tmp_path, tmp_path / "new") == tmp_path / "new/serve"
