"""Runs tasks at once that may hang."""

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
MAX_THREADS = 64


@dataclass(frozen=True)
class Task(Generic[T]):
    """Something to do, and what stands for its result if it takes too long."""

    run: Callable[[], T]
    late: T


class AtOnce:
    """Runs tasks in threads of its own. One that hangs is not begun again until it has ended."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(MAX_THREADS, "status")
        self._begun: dict[Hashable, Future[Any]] = {}

    def run(self, tasks: Mapping[Hashable, Task[T]], patience_s: float) -> dict[Hashable, T]:
        """Results by key, at most after ``patience_s``; raises what a task raises."""
        for key, task in tasks.items():
            if key not in self._begun or self._begun[key].done():
                self._begun[key] = self._pool.submit(task.run)
        begun = {key: self._begun[key] for key in tasks}
        wait(begun.values(), patience_s)
        self._begun = {key: future for key, future in self._begun.items() if not future.done()}
        return {key: future.result() if future.done() else tasks[key].late for key, future in begun.items()}
