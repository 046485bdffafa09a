"""The recipe for runners in Kubernetes, held against Kubernetes' own schemas by kubeconform."""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from springbench.host import lock
from springbench.host.lock import PLACE, lock_path
from springbench.paths import ROOT

FOLDER = ROOT / "bench" / "examples" / "kubernetes"
KUBECONFORM = ROOT / ".tools" / "bin" / "kubeconform"
# the oldest that clouds still run, and the newest that is here
VERSIONS = ("1.31.0", "1.37.0")

needs_kubeconform = pytest.mark.skipif(
    not KUBECONFORM.is_file(),
    reason="kubeconform is not here; `bench/bootstrap.sh --dev` builds it",
)


def write_schema(file: Path, version: str) -> None:
    """The schema of a pod template, in one file: the package has parts that refer to each other."""
    spec = find_spec("kubernetes_validate")
    assert spec and spec.origin
    packed = Path(spec.origin).parent / "kubernetes-json-schema" / f"v{version}-local-strict"
    texts = [
        (packed / name).read_text(encoding="utf-8").replace('"/api/_definitions.json#', '"#')
        for name in ("podtemplate-v1.json", "_definitions.json")
    ]
    template, definitions = map(json.loads, texts)
    file.write_text(json.dumps({**template, "$defs": definitions["$defs"]}), encoding="utf-8")


def pod() -> dict[str, Any]:
    values = yaml.safe_load((FOLDER / "runners.yaml").read_text(encoding="utf-8"))
    template: dict[str, Any] = values["template"]
    return template


def conforms(tmp_path: Path, template: dict[str, Any], version: str) -> tuple[bool, str]:
    """Whether the template is one of a pod, and what kubeconform says."""
    manifest = tmp_path / "pod_template.json"
    document = {
        "apiVersion": "v1",
        "kind": "PodTemplate",
        "metadata": {"name": "runner"},
        "template": template,
    }
    manifest.write_text(json.dumps(document), encoding="utf-8")
    write_schema(tmp_path / "podtemplate.json", version)
    done = subprocess.run(
        [
            KUBECONFORM,
            "-strict",
            f"-kubernetes-version={version}",
            f"-schema-location={tmp_path}/{{{{.ResourceKind}}}}.json",
            "-summary",
            "-output=json",
            manifest,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    summary = json.loads(done.stdout)["summary"]
    assert summary["valid"] + summary["invalid"] == 1, done.stdout + done.stderr
    return summary["valid"] == 1 and done.returncode == 0, done.stdout


@pytest.mark.process
@needs_kubeconform
@pytest.mark.parametrize("version", VERSIONS)
def test_the_template_is_one_of_a_pod(tmp_path: Path, version: str) -> None:
    fine, output = conforms(tmp_path, pod(), version)
    assert fine, output


@pytest.mark.process
@needs_kubeconform
def test_a_mistake_in_it_would_be_seen(tmp_path: Path) -> None:
    template = pod()
    template["spec"]["tolerations"][0]["effekt"] = "NoSchedule"
    fine, output = conforms(tmp_path, template, VERSIONS[0])
    assert not fine
    assert "effekt" in output


def test_the_pod_owns_whole_cores() -> None:
    [runner] = pod()["spec"]["containers"]
    resources = runner["resources"]
    # of the class "guaranteed", which alone gets cores of its own
    assert resources["requests"] == resources["limits"]
    assert resources["requests"]["cpu"].isdecimal()
    kubelet = yaml.safe_load((FOLDER / "kubelet.yaml").read_text(encoding="utf-8"))
    assert kubelet["cpuManagerPolicy"] == "static"
    assert kubelet["cpuManagerPolicyOptions"] == {"full-pcpus-only": "true"}


def test_no_runner_is_another_ones_neighbour() -> None:
    values = yaml.safe_load((FOLDER / "runners.yaml").read_text(encoding="utf-8"))
    [rule] = pod()["spec"]["affinity"]["podAntiAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]
    assert rule["topologyKey"] == "kubernetes.io/hostname"
    assert rule["labelSelector"]["matchLabels"] == {
        "actions.github.com/scale-set-name": values["runnerScaleSetName"]
    }


def test_of_the_node_a_pod_gets_the_lock_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PLACE, raising=False)
    monkeypatch.setattr(lock, "_open_to_all", lambda _: True)
    spec = pod()["spec"]
    [mounted] = spec["containers"][0]["volumeMounts"]
    [volume] = spec["volumes"]
    assert volume["hostPath"] == {"path": str(lock_path()), "type": "FileOrCreate"}
    assert (mounted["mountPath"], mounted["readOnly"]) == (str(lock_path()), True)
