"""Objects of the Helm chart, as deploy/helm/golden has them for the value sets of deploy/helm/values."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .postgres import REPOSITORY

HELM = REPOSITORY / "deploy" / "helm"
CHART = HELM / "rondo"
VALUE_SETS = sorted(each.stem for each in (HELM / "values").glob("*.yaml"))
GOLDEN = HELM / "golden"
KUBERNETES = "1.31.0"

Object = dict[str, Any]


@cache
def objects(value_set: str) -> list[Object]:
    """Read all objects of a value set."""
    text = (GOLDEN / f"{value_set}.yaml").read_text(encoding="utf-8")
    return [each for each in yaml.load_all(text, yaml.CSafeLoader) if each]


def find(of: list[Object], kind: str, name: str) -> Object:
    """Return the object with a kind and name."""
    [found] = [each for each in of if each["kind"] == kind and each["metadata"]["name"] == name]
    return found


def pods(of: list[Object]) -> dict[str, Object]:
    """Return the specs of pods by the names of their objects."""
    return {each["metadata"]["name"]: each["spec"]["template"]["spec"] for each in of if _has_pods(each)}


def _has_pods(each: Object) -> bool:
    return each["kind"] in ("StatefulSet", "Deployment", "Job")


def environment(of: list[Object], container: Object, pod: str, secrets: dict[str, str]) -> dict[str, str]:
    """Return the variables that Kubernetes would give a container.

    ``secrets`` has values by ``SECRET/KEY``; the only field of a pod is its name.
    """
    variables: dict[str, str] = {}
    for source in container.get("envFrom", []):
        variables |= find(of, "ConfigMap", source["configMapRef"]["name"])["data"]
    for each in container.get("env", []):
        if "value" in each:
            variables[each["name"]] = each["value"]
        elif "secretKeyRef" in each["valueFrom"]:
            reference = each["valueFrom"]["secretKeyRef"]
            variables[each["name"]] = secrets[f"{reference['name']}/{reference['key']}"]
        else:
            assert each["valueFrom"] == {"fieldRef": {"fieldPath": "metadata.name"}}
            variables[each["name"]] = pod
    return variables


def path(of: Path) -> str:
    """Return the path inside the repository, for messages."""
    return str(of.relative_to(REPOSITORY))
