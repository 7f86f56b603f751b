"""Runs tasks concurrently, so that a task that hangs delays no other."""

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

MAX_THREADS = 64


@dataclass(frozen=True)
class Task:
    """A task, and its result if it takes too long."""

    run: Callable[[], Any]
    late: Any


class TaskPool:
    """Runs tasks in its threads. A task that hangs is not started again until it has ended."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(MAX_THREADS, "status")
        self._started: dict[Hashable, Future[Any]] = {}

    def run(self, tasks: Mapping[Hashable, Task], timeout_s: float) -> dict[Hashable, Any]:
        """Results by key, after at most ``timeout_s``; raises what a task raises."""
        for key, task in tasks.items():
            if key not in self._started or self._started[key].done():
                self._started[key] = self._pool.submit(task.run)
        started = {key: self._started[key] for key in tasks}
        wait(started.values(), timeout_s)
        self._started = {key: future for key, future in self._started.items() if not future.done()}
        return {key: future.result() if future.done() else tasks[key].late for key, future in started.items()}
