"""Writes NOTICE: the licences of the libraries distributed with Rondo.

Run it after ``./mvnw package`` and a start of the query API, which fetch the libraries::

    python3 deploy/local/cli/notice.py
"""

import email
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[3]
MODULES = (
    "deploy/local",
    "connectors/host-collector",
    "topology/streams",
    "topology/history",
    "connectors/postgres-sink",
)
REPOSITORY = Path.home() / ".m2/repository"
OF_OTHER_SYSTEMS = {"tzdata": "Apache-2.0"}  # psycopg needs it on Windows
OF_PAGES = (("uPlot", "MIT"),)
OF_BINARIES = (("PostgreSQL, in embedded-postgres-binaries", "PostgreSQL"),)
HEAD = """\
Rondo
Copyright the authors of Rondo

Licensed under the Apache License, Version 2.0 (see LICENSE).

Rondo is distributed with, or installs, these libraries, unmodified. Each is under its own licence, which is in the
library's own archive. psycopg (LGPL) is a package of its own in the environment of the query API, where any other
version can replace it.

"""


def main() -> int:
    """Write the file."""
    jars = {jar.name: jar for module in MODULES for jar in (ROOT / module / "target/lib").glob("*.jar")}
    java = {name(jar): licences_of(jar) for jar in jars.values() if not jar.name.startswith("rondo-")}
    packages = re.findall(r"(?m)^([a-z0-9-]+)(?:\[[a-z]+\])?==", (ROOT / "query-api/requirements.lock").read_text())
    python = {package: licence_of(package) for package in packages} | OF_OTHER_SYSTEMS
    unknown = [library for library, licence in (java | python).items() if not licence]
    if unknown:
        print(f"no licence is known of {', '.join(sorted(unknown))}", file=sys.stderr)
        return 1
    sections = {
        "Java": java,
        "Python": python,
        "In the page of the query API": dict(OF_PAGES),
        "Programs": dict(OF_BINARIES),
    }
    text = HEAD + "\n".join(section(title, licences) for title, licences in sections.items())
    (ROOT / "NOTICE").write_text(text, encoding="utf-8")
    return 0


def section(title: str, licences: dict[str, str]) -> str:
    """Return a heading and a line for each library."""
    lines = [f"  {library}: {licence}\n" for library, licence in sorted(licences.items())]
    return f"{title}\n" + "".join(lines)


def name(jar: Path) -> str:
    """Return the artifact's name, without the version, which is in pom.xml."""
    return re.sub(r"-\d[^/]*\.jar$", "", jar.name)


def licences_of(jar: Path) -> str:
    """Return the licences in the POM of a jar, or in one of its parents."""
    stored = next(REPOSITORY.rglob(jar.name), None)
    pom = stored and next(stored.parent.glob("*.pom"), None)
    while pom and pom.exists():
        root = ElementTree.parse(pom).getroot()  # noqa: S314  Maven has read it before
        space = root.tag.partition("}")[0] + "}" if root.tag.startswith("{") else ""
        names = [
            " ".join((each.text or "").split()) for each in root.iterfind(f"{space}licenses/{space}license/{space}name")
        ]
        if names:
            return " or ".join(dict.fromkeys(names))
        parent = root.find(f"{space}parent")
        pom = None if parent is None else parent_of(parent, space)
    return ""


def parent_of(parent: ElementTree.Element, space: str) -> Path:
    """Return the POM of a parent element."""
    group, artifact, version = (
        parent.findtext(f"{space}{part}", "").strip() for part in ("groupId", "artifactId", "version")
    )
    return REPOSITORY / group.replace(".", "/") / artifact / version / f"{artifact}-{version}.pom"


def licence_of(package: str) -> str:
    """Return the licence in the metadata of an installed package."""
    pattern = package.replace("-", "[-_.]")
    for metadata in (ROOT / "query-api/.venv").glob("lib/python3*/site-packages/*.dist-info/METADATA"):
        if re.fullmatch(rf"{pattern}-.*\.dist-info", metadata.parent.name, re.IGNORECASE):
            fields = email.message_from_string(metadata.read_text(encoding="utf-8"))
            classifiers = [
                each.rpartition(" :: ")[2] for each in fields.get_all("Classifier", []) if "License ::" in each
            ]
            text = fields.get("License-Expression") or ", ".join(classifiers) or fields.get("License", "")
            return text.splitlines()[0] if text else ""
    return ""


if __name__ == "__main__":
    sys.exit(main())
