"""The application of a project, from its build files alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.project.detection import find_application
from tests.project.projects import gradle, lay_out, pom


@pytest.mark.parametrize(
    ("starters", "server"),
    [
        (("-web",), "tomcat"),
        (("-webmvc",), "tomcat"),
        (("-web", "-jetty"), "jetty"),
        (("-web", "-undertow"), "undertow"),
        (("-webflux",), "netty"),
    ],
)
def test_the_server_is_that_of_the_starters(
    tmp_path: Path, starters: tuple[str, ...], server: str
) -> None:
    for build in ({"pom.xml": pom(*starters)}, {"build.gradle.kts": gradle(*starters)}):
        folder = lay_out(tmp_path / next(iter(build)), build)
        found = find_application(folder, None)
        assert found is not None
        assert (found.server, found.boot_version, found.has_health) == (server, "4.0.7", False)


def test_a_jar_of_maven_has_its_version_or_the_name_that_it_is_given(tmp_path: Path) -> None:
    found = find_application(lay_out(tmp_path / "a", {"pom.xml": pom("-web", "-actuator")}), None)
    assert found is not None
    assert (found.jar, found.has_health) == ("target/orders-*.jar", True)
    assert found.build_command == "mvn package"
    named = {"pom.xml": pom("-web", final="app"), "mvnw": ""}
    found = find_application(lay_out(tmp_path / "b", named), None)
    assert found is not None
    assert (found.jar, found.build_command) == ("target/app.jar", "./mvnw package")
    computed = {"pom.xml": pom("-web", final="${artifactId}")}
    found = find_application(lay_out(tmp_path / "c", computed), None)
    assert found is not None
    assert found.jar == "target/orders-*.jar"


def test_the_one_application_among_modules_is_found(tmp_path: Path) -> None:
    maven = {
        "pom.xml": pom(app=False, modules="core shop"),
        "core/pom.xml": pom("-web", app=False, name="core"),
        "shop/pom.xml": pom(name="shop"),
    }
    by_gradle = {
        "settings.gradle.kts": 'include("core", ":shop")\n',
        "build.gradle.kts": gradle(app=False),
        "core/build.gradle.kts": "",
        "shop/build.gradle.kts": gradle(),
    }
    for files in (maven, by_gradle):
        found = find_application(lay_out(tmp_path / f"{len(files)}", files), None)
        assert found is not None
        assert found.folder.name == "shop"


def test_of_several_applications_one_must_be_named(tmp_path: Path) -> None:
    names = ("api", "admin", "batch")
    folder = lay_out(
        tmp_path,
        {"pom.xml": pom(app=False, modules=" ".join(names))}
        | {f"{name}/pom.xml": pom("-web", name=name) for name in names},
    )
    with pytest.raises(ConfigurationError, match=r"several applications: admin, api, batch; name"):
        find_application(folder, None)
    found = find_application(folder, "admin")
    assert found is not None
    assert found.folder.name == "admin"
    with pytest.raises(ConfigurationError, match=r"--module shop: .*allowed: admin, api, batch"):
        find_application(folder, "shop")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"pom.xml": pom("")}, "no web server"),
        ({"build.gradle": gradle("", "-data-jpa")}, "no web server"),
        ({"pom.xml": pom("-web", app=False)}, "no Spring Boot application"),
        ({"build.gradle": "plugins { id 'java' }"}, "no Spring Boot application"),
        ({"pom.xml": "<project"}, "pom.xml: no XML: "),
    ],
)
def test_what_cannot_be_measured_is_said(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        find_application(lay_out(tmp_path, files), None)
    [line] = str(caught.value).splitlines()
    assert said in line


def test_a_folder_that_java_does_not_build_is_none(tmp_path: Path) -> None:
    assert find_application(lay_out(tmp_path, {"package.json": "{}"}), None) is None


def test_a_module_that_names_itself_ends(tmp_path: Path) -> None:
    found = find_application(lay_out(tmp_path, {"pom.xml": pom("-web", modules=". ./")}), None)
    assert found is not None


CATALOGUE = """\
[versions]
boot = "4.0.7"
[plugins]
spring-boot = { id = "org.springframework.boot", version.ref = "boot" }
kotlin_jvm = "org.jetbrains.kotlin.jvm:2.4.0"
[libraries]
boot-actuator = "org.springframework.boot:spring-boot-starter-actuator:4.0.7"
boot-webflux = { module = "org.springframework.boot:spring-boot-starter-webflux" }
boot-jetty = { group = "org.springframework.boot", name = "spring-boot-starter-jetty" }
[bundles]
web = ["boot-webflux", "boot-jetty"]
"""
BY_CATALOGUE = """\
plugins {
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.spring.boot)
}
dependencies {
    implementation(libs.bundles.web)
    implementation(libs.boot.actuator)
}
"""
LEGACY = """\
buildscript {
    dependencies { classpath 'org.springframework.boot:spring-boot-gradle-plugin:2.1.18.RELEASE' }
}
apply plugin: 'org.springframework.boot'
dependencies { implementation 'org.springframework.boot:spring-boot-starter-web' }
"""
BOM = """\
dependencyManagement {
    imports { mavenBom 'org.springframework.boot:spring-boot-dependencies:3.5.16' }
}
"""


@pytest.mark.parametrize(
    ("files", "server", "version", "has_health"),
    [
        (
            {"gradle/libs.versions.toml": CATALOGUE, "build.gradle.kts": BY_CATALOGUE},
            *("jetty", "4.0.7", True),
        ),
        ({"build.gradle": LEGACY}, "tomcat", "2.1.18.RELEASE", False),
        ({"build.gradle": LEGACY + BOM}, "tomcat", "3.5.16", False),
        (
            {
                "settings.gradle": (
                    "pluginManagement { plugins { id 'org.springframework.boot' version '3.4.1' } }"
                ),
                "build.gradle": "plugins { id 'org.springframework.boot' }",
            },
            *(None, "3.4.1", False),
        ),
        (
            {"build.gradle.kts": 'apply(plugin = "org.springframework.boot")'},
            *(None, None, False),
        ),
    ],
    ids=["catalogue", "legacy", "imported", "settings", "kotlin"],
)
def test_gradle_is_read_as_people_write_it(
    tmp_path: Path, files: dict[str, str], server: str | None, version: str, has_health: bool
) -> None:
    found = find_application(lay_out(tmp_path, files), None)
    assert found is not None
    assert (found.server, found.boot_version, found.has_health) == (server, version, has_health)


def test_a_plugin_that_is_only_named_makes_no_application(tmp_path: Path) -> None:
    files = {
        "gradle/libs.versions.toml": CATALOGUE,
        "settings.gradle.kts": 'include("shop")\n',
        "build.gradle.kts": "plugins { alias(libs.plugins.spring.boot) apply false }",
        "shop/build.gradle.kts": BY_CATALOGUE,
    }
    found = find_application(lay_out(tmp_path, files), None)
    assert found is not None
    assert found.folder.name == "shop"


@pytest.mark.parametrize(
    ("text", "said"),
    [("plugins = 3", "no Spring Boot application"), ("[plugins\n", "libs.versions.toml: no TOML")],
)
def test_a_catalogue_that_is_none_is_said(tmp_path: Path, text: str, said: str) -> None:
    files = {"gradle/libs.versions.toml": text, "build.gradle.kts": BY_CATALOGUE}
    with pytest.raises(ConfigurationError, match=said):
        find_application(lay_out(tmp_path, files), None)
