"""Describes each failure: the expectation, the state of the parts, the seed, and the command that repeats it."""

import re
from pathlib import Path
from shlex import quote

from .reading import Case, Run, Stage

# A build server keeps only the end of a log.
MAX_LINES = 200
MAX_DETAILED = 10
MAX_NAMED = 20
MIN_LINES = 12
STAGE_LINES = 60
MAX_WIDTH = 300

OWN_FRAME = re.compile(r"\s*at (?:[\w.]+//)?dev\.rondo\.|^\S+\.py:\d+: ")
SEEDS = [
    re.compile(r"(-D[\w.]*seed=-?\w+)"),
    re.compile(r"(--hypothesis-seed=\d+)"),
    re.compile(r"(@reproduce_failure\([^\n]*\))"),
    re.compile(r"\b(seed\s*[= ]\s*-?\d+)"),
]
CRASH = re.compile(
    r"Crashed tests:|forked VM terminated|COMPILATION ERROR|There was a timeout|OutOfMemoryError|INTERNALERROR"
)
MAVEN_ADVICE = re.compile(
    r"\[ERROR\] (?:\[Help|Re-run Maven|To see the full|For more information|After correcting|  mvn <args>|\s*$)"
)
MAVEN_PROGRESS = re.compile(r"\[(?:INFO|WARNING)\]")


def describe_failures(run: Run) -> list[str]:
    """Return lines about all failures, at most MAX_LINES; the names come last, as far as they fit."""
    stages = [stage for stage in run.stages if stage.failed]
    failures = run.failures
    lines = [line for stage in stages for line in describe_stage(stage, failures)]
    names = [f"FAILED {full_name(case)}: {command(case)}" for case in failures[:MAX_NAMED]]
    if len(failures) > MAX_NAMED:
        names.append(f"and {len(failures) - MAX_NAMED} more: target/test-report.json has all")
    detailed = failures[:MAX_DETAILED]
    left = MAX_LINES - len(lines) - len(names) - 1
    for index, case in enumerate(detailed):
        share = max(MIN_LINES, left // (len(detailed) - index))
        text = describe(run.root, case, share)
        left -= len(text)
        lines += text
    if len(failures) > 1:
        lines += ["", *names]
    return [line[:MAX_WIDTH] for line in lines[-MAX_LINES:]]


def describe_stage(stage: Stage, failures: list[Case]) -> list[str]:
    """Return the end of the output of a stage, or only the lines of a crash if failed tests explain the failure."""
    text = stage.log.read_text(encoding="utf-8", errors="replace").splitlines() if stage.log.exists() else []
    heading = f"FAILED stage '{stage.name}', after {stage.seconds} s, exit code {stage.code}: {stage.log}"
    if failures:
        shown = [line for line in text if CRASH.search(line)][:10]
    else:
        shown = [line for line in text if not MAVEN_ADVICE.match(line)]
        if any(line.startswith("[ERROR]") for line in shown):
            shown = [line for line in shown if not MAVEN_PROGRESS.match(line)]
        shown = shown[-STAGE_LINES:]
    return ["", heading, *(f"  {line}" for line in shown)]


def describe(root: Path, case: Case, max_lines: int) -> list[str]:
    """Describe a failed test in at most ``max_lines`` lines."""
    trace = (case.trace or case.message).splitlines()
    message = message_of(case, trace)
    frames = [line.strip() for line in trace if OWN_FRAME.match(line)][:3]
    seed = seed_of(case)
    head = ["", f"FAILED {full_name(case)}"]
    tail = [*([f"  seed: {seed}"] if seed else []), f"  again: {command(case)}"]
    left = max_lines - len(head) - len(tail) - len(frames)
    known = {line.strip() for line in trace}
    state = [line for line in state_of(root, case) or case.output.splitlines() if line.strip() not in known | {""}]
    # The message comes first: it has the expectation, and the last state.
    message = message[: max(4, left // 2 if state else left)]
    shown = state[-max(0, left - len(message)) :] if left > len(message) else []
    return [*head, *(f"  {x}" for x in message), *(f"    {x}" for x in frames), *(f"  | {x}" for x in shown), *tail]


def message_of(case: Case, trace: list[str]) -> list[str]:
    """Return the message of a failure: lines without the stack for Java, the lines of the error for pytest."""
    if case.python:
        errors = [line for line in trace if line.startswith(("E ", ">"))]
        return errors or trace
    message = []
    for line in trace:
        if re.match(r"\s+at |\s*\.\.\. \d+ more", line):
            continue
        message.append(line)
    return message


def state_of(root: Path, case: Case) -> list[str]:
    """Return the state of the parts and the ends of their logs, which the test wrote to target/test-failures."""
    file = failure_file(root, case)
    if file is None:
        return []
    return file.read_text(encoding="utf-8", errors="replace").splitlines()


def failure_file(root: Path, case: Case) -> Path | None:
    """Find ``CLASS#METHOD.txt`` for Java, or the test's id for Python, whose separators may differ."""
    folder = root / "target" / "test-failures"
    if not case.python:
        file = folder / f"{case.test_class}#{method_of(case) or 'before-all'}.txt"
        return file if file.exists() else None
    wanted = words(f"{case.test_class}-{case.name}")
    return next((file for file in sorted(folder.glob("*.txt")) if words(file.stem).endswith(wanted)), None)


def words(name: str) -> str:
    """Return the words of a test's id, without the file extension."""
    return "-".join(re.findall(r"[A-Za-z0-9]+", name.replace(".py", "")))


def method_of(case: Case) -> str:
    """Return the method: the first word of ``shouldRead(String, int)[2]``; empty if the class itself failed."""
    found = re.match(r"\w+", case.name)
    return found.group() if found and case.name != case.test_class else ""


def seed_of(case: Case) -> str | None:
    """Find the seed in a failure or the output of its test; the last one belongs to the failed try."""
    text = f"{case.message}\n{case.trace}\n{case.output}"
    for pattern in SEEDS:
        if found := pattern.findall(text):
            return str(found[-1])
    return None


def full_name(case: Case) -> str:
    """Return module, class and test."""
    return f"{case.module} {case.test_class.rpartition('.')[2]}.{case.name}"


def command(case: Case) -> str:
    """Return the command that repeats a test, with its seed if an option sets it; jqwik remembers its own."""
    seed = seed_of(case)
    option = f" {seed}" if seed and seed.startswith("-") else ""
    if case.python:
        *folders, file = case.test_class.split(".")
        path = "/".join([case.module, *folders, file]) + ".py"
        if file[:1].isupper():  # a class in a file
            path = "/".join([case.module, *folders]) + f".py::{file}"
        return f"./rondo test {quote(f'{path}::{case.name}')}{option}"
    method = method_of(case)
    return f"./rondo test {case.test_class.rpartition('.')[2]}{f'#{method}' if method else ''}{option}"
