"""Writes the CycloneDX file of an image: its Debian packages, its Java, and the components of its parts.

Usage: image_sbom.py NAME VERSION PACKAGES RUNTIME OUTPUT PART.cdx.json...

PACKAGES has lines ``package version architecture``. RUNTIME is the version of Java, or empty.
"""

import json
import sys
from pathlib import Path
from urllib.parse import quote

Component = dict[str, object]


def main(name: str, version: str, packages: str, runtime: str, output: str, *parts: str) -> None:
    """Merge the lists; a library in two parts is listed once."""
    files = [json.loads(Path(part).read_text(encoding="utf-8")) for part in parts]
    found = [_package(*line.split()) for line in Path(packages).read_text(encoding="utf-8").splitlines()]
    if runtime:
        found.append({"type": "platform", "bom-ref": f"openjdk@{runtime}", "name": "openjdk", "version": runtime})
    for file in files:
        own = file["metadata"].get("component")
        found += ([own] if own else []) + file["components"]
    image = {"type": "container", "bom-ref": name, "name": name, "version": version}
    merged = {
        "bomFormat": "CycloneDX",
        "specVersion": files[0]["specVersion"],
        "version": 1,
        "metadata": {"component": image},
        "components": _distinct(found),
    }
    Path(output).write_text(json.dumps(merged, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _package(name: str, version: str, architecture: str) -> Component:
    purl = f"pkg:deb/debian/{name}@{quote(version, safe='.+~-')}?arch={architecture}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def _distinct(components: list[Component]) -> list[Component]:
    """Compare by name and version, as each list has its own references."""
    by_name = {(str(each["name"]), str(each.get("version", ""))): each for each in components}
    return [by_name[key] for key in sorted(by_name)]


if __name__ == "__main__":
    main(*sys.argv[1:])
